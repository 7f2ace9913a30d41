// A process that records is killed with SIGKILL at a random moment: the file opens and holds every frame up to at most
// one second before. Three writers: as fast as it can, 50 frames a second, and one that hangs in a step right after a
// frame.
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>

#include "io/recording_example.h"

#include "sinew/io/recording_reader.h"

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

enum class Pace { Fast, FiftyPerSecond, HangsAfterTwentyFrames };

// Memory the killed child and its parent share: when each frame was handed to the writer [s since the clock's epoch].
class SharedTimes {
 public:
  static constexpr std::size_t kCapacity = std::size_t{1} << 22;
  SharedTimes()
      : times_(static_cast<double*>(
            ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  ~SharedTimes() { ::munmap(times_, kBytes); }
  SharedTimes(const SharedTimes&) = delete;
  SharedTimes& operator=(const SharedTimes&) = delete;
  volatile double& operator[](std::size_t frame) { return times_[frame]; }

 private:
  static constexpr std::size_t kBytes = kCapacity * sizeof(double);
  double* times_;
};

double now() { return Seconds(Clock::now().time_since_epoch()).count(); }

[[noreturn]] void record_until_killed(const std::string& path, Pace pace, SharedTimes& written) {
  const RecordingHeader header = example::make_header();
  RecordingWriter writer(path, header);
  for (std::size_t frame = 0; frame < SharedTimes::kCapacity; ++frame) {
    example::write_frame(writer, header, frame);
    written[frame] = now();
    if (pace == Pace::FiftyPerSecond) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (pace == Pace::HangsAfterTwentyFrames && frame == 19) break;
  }
  while (true) ::pause();
}

class RecordingKill : public testing::TestWithParam<Pace> {};

TEST_P(RecordingKill, LeavesEveryFrameUpToOneSecondBefore) {
  std::mt19937 random(11);
  for (int repetition = 0; repetition < 10; ++repetition) {
    const example::TemporaryFile file("killed.mcap", std::filesystem::temp_directory_path());
    SharedTimes written;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) record_until_killed(file.path(), GetParam(), written);
    while (written[0] == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const double life =
        GetParam() == Pace::HangsAfterTwentyFrames ? 1.1 : std::uniform_real_distribution(0.0, 1.6)(random);
    std::this_thread::sleep_for(Seconds(life));
    const double killed = now();
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));

    const Recording recording = read_recording(file.path());
    EXPECT_TRUE(recording.is_truncated);
    for (std::size_t frame = 0; frame < recording.frames(); ++frame) {
      ASSERT_EQ(recording.times[frame], example::time_of(frame));
      ASSERT_EQ(recording.pose(frame, 1)[6], example::value_of(frame, 13, 0));
      ASSERT_EQ(recording.ledger[frame * 3 + 2], example::value_of(frame, 2, 2));
    }
    const double first_lost = written[recording.frames()];
    if (first_lost != 0) {
      EXPECT_LT(killed - first_lost, 1.0) << "frame " << recording.frames() << " of repetition " << repetition;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Paces, RecordingKill,
                         testing::Values(Pace::Fast, Pace::FiftyPerSecond, Pace::HangsAfterTwentyFrames),
                         [](const auto& pace) {
                           switch (pace.param) {
                             case Pace::Fast:
                               return "Fast";
                             case Pace::FiftyPerSecond:
                               return "FiftyPerSecond";
                             default:
                               return "HangsAfterTwentyFrames";
                           }
                         });

}  // namespace
}  // namespace sinew
