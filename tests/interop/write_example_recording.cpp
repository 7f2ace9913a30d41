// Writes the example recording of tests/io/recording_example.h to the path given: 40 frames in chunks of a few, one event. The scripts
// beside this file read it with other people's MCAP readers.
#include <exception>
#include <iostream>

#include "io/recording_example.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_example_recording FILE.mcap\n";
    return 2;
  }
  try {
    constexpr std::size_t kFrames = 40;
    const sinew::RecordingHeader header = sinew::example::make_header();
    sinew::RecordingWriter writer(argv[1], header, {.container = {}, .chunk_bytes = 2000, .flush_seconds = 3600});
    for (std::size_t frame = 0; frame < kFrames; ++frame) sinew::example::write_frame(writer, header, frame);
    writer.write_event({sinew::example::time_of(kFrames), "step_halved", "dt 0.01 -> 0.005"});
    writer.close();
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
  return 0;
}
