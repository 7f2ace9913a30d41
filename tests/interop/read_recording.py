"""Reads the example recording with the PyPI package mcap, whole and cut off, and checks every number against its formula
(tests/io/recording_example.h). Also runs the Python snippet of docs/recording_format.md, so that the page stays true.

usage: read_recording.py WRITE_EXAMPLE_RECORDING RECORDING_FORMAT_MD
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import zstandard
from mcap.exceptions import EndOfFile
from mcap.reader import make_reader
from mcap.records import Attachment, Channel, Message
from mcap.stream_reader import StreamReader

FRAMES, BODIES = 40, 2


def time_of(frame):
    return 0.1 * frame


def values_of(frame, count, group):
    return [(10.0 * frame + place - 30.0) / (7.0 + group) for place in range(count)]


def check_frames(bodies, probes, ledger):
    """Lists of (log_time, data) of the three channels: the first frames of the example, without a gap."""
    assert len(bodies) == len(probes) == len(ledger)
    for frame, messages in enumerate(zip(bodies, probes, ledger)):
        assert all(log_time == round(time_of(frame) * 1e9) for log_time, _ in messages)
        poses = struct.unpack(f"<{1 + 7 * BODIES}d", messages[0][1])
        assert list(poses) == [time_of(frame), *values_of(frame, 7 * BODIES, 0)]
        assert json.loads(messages[1][1]) == dict(
            zip(["time", "tip.x", "tip.speed"], [time_of(frame), *values_of(frame, 2, 1)])
        )
        assert json.loads(messages[2][1]) == dict(
            zip(["time", "energy.total", "joint_error", "newton.iterations"], [time_of(frame), *values_of(frame, 3, 2)])
        )


def check_header(attachments):
    header = json.loads(attachments["recording.json"])
    assert header["format"] == "sinew recording" and header["format_version"] == 1
    assert [body["name"] for body in header["bodies"]] == ["rod1", 'rod "2"']
    assert header["bodies"][1]["shapes"] == [{"type": "sphere", "radius": 0.25}]
    assert header["bodies"][1]["mass"] == 1 / 3
    assert header["joints"][1] == {"name": "hinge2", "type": "revolute", "parent": "rod1", "child": 'rod "2"'}
    assert header["ledger"][0] == {"name": "energy.total", "unit": "J"}
    assert attachments["scene.yaml"].decode() == 'name: example  # ä, "quoted"\ndt: 0.01\n'


def check_whole(path):
    """With the index at the end of the file (seeking reader), all checksums on."""
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        assert summary.statistics.message_count == 3 * FRAMES + 1
        assert summary.statistics.attachment_count == 2 and summary.statistics.metadata_count == 1
        assert summary.statistics.chunk_count == len(summary.chunk_indexes) > 5
        assert sum(summary.statistics.channel_message_counts.values()) == 3 * FRAMES + 1
        check_header({a.name: a.data for a in reader.iter_attachments()})
        assert next(reader.iter_metadata()).metadata["scene_name"] == "example"
        by_topic = {}
        for schema, channel, message in reader.iter_messages():
            by_topic.setdefault(channel.topic, []).append((message.log_time, message.data))
            assert message.publish_time == message.log_time
            if channel.message_encoding == "json":
                properties = json.loads(schema.data)["properties"]
                assert schema.encoding == "jsonschema" and properties.keys() == json.loads(message.data).keys()
        assert len(by_topic["/sinew/bodies"]) == FRAMES
        check_frames(*(by_topic[f"/sinew/{name}"] for name in ("bodies", "probes", "ledger")))
        assert json.loads(by_topic["/sinew/events"][0][1])["kind"] == "step_halved"
        # By time, through the message indexes.
        window = list(reader.iter_messages(topics=["/sinew/ledger"], starting_at=1_000_000_000, ending_before=2_000_000_000))
        assert len(window) == 10


def check_cut_off(path, size):
    """As a stream, up to the cut. Returns the number of frames found."""
    bytes_left = path.read_bytes()[:size]
    cut = path.with_name("cut.mcap")
    cut.write_bytes(bytes_left)
    topics, messages, attachments = {}, {}, {}
    with open(cut, "rb") as file:
        try:
            for record in StreamReader(file, validate_crcs=True).records:
                if isinstance(record, Channel):
                    topics[record.id] = record.topic
                elif isinstance(record, Attachment):
                    attachments[record.name] = record.data
                elif isinstance(record, Message):
                    messages.setdefault(topics[record.channel_id], []).append((record.log_time, record.data))
        except (EndOfFile, struct.error, zstandard.ZstdError):
            pass  # what the package raises depends on where inside a record the file ends
    check_header(attachments)
    check_frames(*(messages.get(f"/sinew/{name}", []) for name in ("bodies", "probes", "ledger")))
    return len(messages.get("/sinew/bodies", []))


def run_documented_snippet(page, path):
    snippets = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert snippets, "docs/recording_format.md has no Python snippet"
    for snippet in snippets:
        result = subprocess.run(
            [sys.executable, "-c", snippet.replace("pendulum.mcap", str(path))], capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        assert 'rod "2"' in result.stdout, result.stdout


def main():
    program, page = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "example.mcap"
        subprocess.run([program, path], check=True)
        check_whole(path)
        size = path.stat().st_size
        found = [check_cut_off(path, size * percent // 100) for percent in range(45, 100)]
        assert found == sorted(found) and found[0] < found[-1] == FRAMES, found
        run_documented_snippet(page, path)
        cut = path.with_name("half.mcap")
        cut.write_bytes(path.read_bytes()[: size * 60 // 100])
        run_documented_snippet(page, cut)
    print(f"Python's mcap reads {FRAMES} frames; cut off, {found}")


if __name__ == "__main__":
    main()
