"""Runs the command-line tool as people run it: python3 cli_test.py path/to/sinew [test ...]"""
import csv
import json
import os
import pathlib
import pty
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SINEW = os.path.abspath(sys.argv.pop(1))

PENDULUM = """sinew: 1
name: pendulum
dt: 0.01
duration: 1
bodies:
  - {name: rod, shape: {type: box, size: [0.1, 0.1, 1]}, mass: 1, position: [0.5, 0, 0], orientation: {axis: [0, 1, 0], angle: -90deg}}
joints:
  - {name: hinge, type: revolute, child: rod, anchor: [0, 0, 0], axis: [0, 1, 0]}
probes:
  - {name: angle, type: coordinate, joint: hinge}
  - {name: tip, type: position, body: rod, point: [0, 0, -0.5]}
"""


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.scene = self.write("pendulum.yaml", PENDULUM)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def sinew(self, *arguments, expect=0, **options):
        done = subprocess.run([SINEW, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder.name, timeout=120, **options)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def run_report(self, scene, *arguments, **options):
        self.sinew("run", scene, "--report", self.path("r.json"), *arguments, **options)
        with open(self.path("r.json")) as file:
            return json.load(file)

    def test_every_command_has_help_with_an_example(self):
        for command in ["run", "check", "info", "list", "schema", "make", "export", "plot", "view", "render", "reproduce", "compare"]:
            text = self.sinew(command, "--help").stdout
            self.assertIn("Example: sinew " + command, text)
        self.assertIn("sinew 0.", self.sinew("--version").stdout)

    def test_contacts_are_recorded_on_request(self):
        scene = self.write("rest.yaml", "sinew: 1\nduration: 0.1\nworld: [{type: plane}]\n"
                           "bodies: [{name: b, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1]}]\n")
        sizes = []
        for arguments in [[], ["--contacts"]]:
            self.sinew("run", scene, "--quiet", "--record", self.path("out.mcap"), *arguments)
            with open(self.path("out.mcap"), "rb") as file:
                data = file.read()
            self.assertEqual(b"/sinew/contacts" in data, bool(arguments))
            sizes.append(len(data))
        self.assertGreater(sizes[1], sizes[0])
        self.assertIn("--record", self.sinew("run", scene, "--contacts", expect=2).stderr)

    def test_run_ends_with_a_summary_and_a_report(self):
        done = self.sinew("run", self.scene)
        for word in ["steps", "wall time", "real time", "Newton", "energy error", "momentum error", "joint error", "failures"]:
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "")  # no progress bar in a pipe
        self.assertEqual(self.sinew("run", self.scene, "--quiet").stdout, "")
        report = self.run_report(self.scene)
        self.assertEqual(report["version"], 1)
        self.assertEqual(report["steps"], 100)
        self.assertEqual(report["status"], "completed")
        self.assertLess(report["joint_error"]["max"], 1e-10)
        self.assertLess(report["energy"]["max_abs_error"], 0.01)
        self.assertLessEqual(report["newton"]["mean"], 4)
        for key in ["initial", "final", "max_abs_error_first_tenth", "max_abs_error_last_tenth"]:
            self.assertIn(key, report["energy"])
        self.assertEqual(report["solver"]["not_converged"], 0)

    def test_contacts_are_summed_up_and_reported(self):  # a block that slides on its four corners
        scene = self.write("slide.yaml", "sinew: 1\ndt: 0.01\nduration: 0.5\ncontact: {friction: 0.3}\nworld: [{type: plane}]\nbodies: "
                           "[{name: b, mass: 2, shape: {type: box, size: [0.4, 0.4, 0.1]}, position: [0, 0, 0.06], velocity: [1, 0.5, 0]}]\n")
        summary = self.sinew("run", scene).stdout
        number = r"\d\.\d\de[+-]\d\d"
        self.assertRegex(summary, r"contacts +3\.\d touching on average, at most 4; interior point \d+\.\d iterations a step, at most \d+\n")
        self.assertRegex(summary, f"contact errors +penetration {number} m, complementarity {number} N m, cone violation {number} N\n")
        self.assertNotIn("rough", summary)
        contact = self.run_report(scene)["contact"]
        self.assertEqual((contact["max_touching"], contact["rough_steps"], contact["max_torque_violation"]), (4, 0, 0))
        self.assertTrue(3 < contact["mean_touching"] < 4, contact)  # the first steps fall
        self.assertTrue(0 < contact["mean_iterations"] <= contact["max_iterations"] <= 80, contact)
        for key, largest in [("max_penetration", 1e-11), ("max_complementarity", 1e-6), ("max_cone_violation", 1e-9)]:
            self.assertTrue(0 <= contact[key] <= largest, contact)
        self.assertNotIn("contact", self.sinew("run", self.scene).stdout)
        self.assertEqual(set(self.run_report(self.scene)["contact"].values()), {0})

    def test_columns_of_help_and_tables_stay_apart(self):
        text = self.sinew("make", "quadruped", "--help").stdout
        self.assertRegex(text, r"\n    thigh_amplitude  +swing of the thighs \[rad\]\n")
        self.assertRegex(text, r"\n    body_collides  +whether trunk")
        scene = self.write("ball.yaml", "sinew: 1\nduration: 0.02\nbodies: [{name: b, mass: 1, shape: {type: sphere, radius: 0.1}, position: [1, 0, 0]}]\n"
                           "joints: [{name: j, type: spherical_exponential, child: b, anchor: [0, 0, 0]}]\n")
        self.assertRegex(self.sinew("info", scene).stdout, r"j +spherical_exponential world +b +3 +3\n")
        stepper = "{type: reduced, integrator: sdirk2}"
        text = self.sinew("compare", scene, "--steppers", "variational," + stepper, "--quiet").stdout
        self.assertEqual(text.count(stepper), text.count(stepper + " "))

    def test_info_tells_the_fill_in(self):  # that of loops; a tree has none
        self.assertRegex(self.sinew("info", "four_bar").stdout, r"solver +\d+ unknowns, \d+ blocks, [1-9]\d* of them fill-in\n")
        self.assertRegex(self.sinew("info", "double_pendulum").stdout, r"solver +\d+ unknowns, \d+ blocks, 0 of them fill-in\n")

    def test_integrator_is_reported(self):
        scene = self.write("damped.yaml", "sinew: 1\nduration: 0.05\nstepper: reduced\n"
                           "bodies: [{name: b, mass: 1, shape: {type: sphere, radius: 0.1}, position: [1, 0, 0]}]\n"
                           "joints: [{name: j, type: revolute, axis: [0, 1, 0], child: b, anchor: [0, 0, 0]}]\n"
                           "forces: [{type: joint_spring, joint: j, damping: [5000]}]\n")
        stiff = self.sinew("run", scene).stdout
        self.assertIn("evaluations a step", stiff)
        self.assertIn("integrator: sdirk2", stiff)
        self.assertNotIn("Newton", stiff)
        report = self.run_report(scene, "--stepper", "{type: reduced, integrator: sdirk2}")
        self.assertEqual(report["integrator"]["mean_substeps"], 1)
        self.assertEqual(report["integrator"]["mean_evaluations"], report["newton"]["mean"])

    def test_errors_of_order_1_are_hinted_at_where_they_show(self):
        scene = self.write("swing.yaml", "sinew: 1\nduration: 0.5\ndt: 0.02\n"
                           "bodies: [{name: b, mass: 1, shape: {type: sphere, radius: 0.1}, position: [1, 0, 0]}]\n"
                           "joints: [{name: j, type: revolute, axis: [0, 1, 0], child: b, anchor: [0, 0, 0]}]\n")
        for integrator, is_rough in (("symplectic_euler", True), ("implicit_euler", True), ("sdirk2", False),
                                     ("dormand_prince", False)):
            summary = self.sinew("run", scene, "--stepper", f"{{type: reduced, integrator: {integrator}}}").stdout
            self.assertEqual("a method of order 1" in summary, is_rough, summary)

    def test_entries_of_sleep_are_zero_where_nothing_sleeps(self):
        for stepper in ["reduced", "maximal"]:
            self.sinew("run", "sleeping_wall", "--stepper", stepper, "--time", "0.01", "--probes", self.path("wall.csv"), "--quiet")
            with open(self.path("wall.csv")) as file:
                self.assertEqual([float(x) for x in file.readlines()[-1].split(",")[1:3]], [0, 0])

    def test_options_change_the_scene(self):
        self.assertEqual(self.run_report(self.scene, "--dt", "0.005", "--time", "2")["steps"], 400)
        heavy = self.run_report(self.scene, "--set", "bodies[rod].mass=2", "--set", "stepper.tolerance=1e-11")
        light = self.run_report(self.scene)
        self.assertNotEqual(heavy["scene"]["hash"], light["scene"]["hash"])
        self.assertEqual(self.run_report(self.scene, "--stepper", "variational")["final_state_hash"], light["final_state_hash"])

    def test_mistakes_are_one_line_each_with_their_place(self):
        bad = self.write("bad.yaml", PENDULUM.replace("gravity", "").replace("duration: 1", "duration: -1\ngravty: [0, 0, 1]").replace("revolute", "revolut"))
        lines = self.sinew("check", bad, expect=2).stderr.splitlines()
        self.assertEqual(len(lines), 3, lines)
        self.assertTrue(lines[0].startswith(f"{bad}:4:11 duration: expected"), lines[0])
        self.assertIn("did you mean 'gravity'", lines[1])
        self.assertIn("did you mean 'revolute'", lines[2])
        self.assertIn("joints[0].type", lines[2])

    def test_findings_of_the_model_have_a_place_too(self):
        bad = self.write("bad.yaml", PENDULUM.replace("anchor: [0, 0, 0]", "parent_frame: {}, child_frame: {}"))
        line = self.sinew("run", bad, expect=2).stderr
        self.assertIn(f"{bad}:8:5 joints[0]: joint 'hinge' does not meet at t = 0: its frames are 0.5 m", line)
        bad = self.write("bad.yaml", PENDULUM + "  - {name: e, type: ledger, entry: energy.totl}\n")
        self.assertIn("did you mean 'energy.total'", self.sinew("check", bad, expect=2).stderr)

    def test_expressions_of_time_are_checked_too(self):
        for motion, message in [("{position: {expression: \"sin(2*x)\"}}", "expected a number or t, got 'x'"),
                                ("{position: {expression: \"1 + t\"}}", "its motion begins at 1"),
                                ("{position: {expression: \"1/t\"}}", "finite at t = 0")]:
            bad = self.write("bad.yaml", PENDULUM.replace("anchor: [0, 0, 0]", "anchor: [0, 0, 0], motion: " + motion))
            lines = self.sinew("run", bad, "--stepper", "reduced", expect=2).stderr.splitlines()
            self.assertEqual(len(lines), 1, lines)
            self.assertIn(message, lines[0])

    def test_wrong_arguments(self):
        for arguments in [["run"], ["run", "no_such_scene"], ["run", self.scene, "--dt", "-1"], ["fly"], ["list", "planets"],
                          ["run", self.scene, "--set", "bodis[0].mass=1"], ["make", "chian"], ["make", "chain", "--param", "links=0"],
                          ["make", "chain", "--param", "linsk=3"], ["export", "none.mcap"], ["run", self.scene, "--every", "1"],
                          ["run", self.scene, "--record", "/no/such/folder/x.mcap"], ["run", self.scene, "--resume", "none"]]:
            done = self.sinew(*arguments, expect=2)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertEqual("COMMAND: expected a command, got 'fly' (known: run, check, info, list, schema, make, export, plot, view, render, reproduce, compare)\n",
                         self.sinew("fly", expect=2).stderr)
        self.assertIn("got 'rnu' (did you mean 'run'?)", self.sinew("rnu", self.scene, expect=2).stderr)
        for number in ["-1", "0", "nan", "inf"]:
            self.assertIn(f"expected a number above 0, got '{number}'", self.sinew("run", self.scene, "--dt", number, expect=2).stderr)
        self.assertIn("did you mean 'double_pendulum'", self.sinew("run", "double_pendulm", expect=2).stderr)
        self.assertIn("did you mean 'links'", self.sinew("make", "chain", "--param", "linsk=3", expect=2).stderr)

    def test_a_time_shorter_than_a_step_is_refused(self):
        for command in [["run"], ["check"], ["info"]]:
            line = self.sinew(*command, self.scene, "--time", "0.004", expect=2).stderr
            self.assertIn("duration: expected 0 or at least one step of dt = 0.01 s, got 0.004 s; simulate for longer or reduce dt\n", line)
        self.assertIn("one step of dt = 0.01 s", self.sinew("compare", self.scene, "--steppers", "variational,reduced", "--time", "0.009", expect=2).stderr)
        short = self.write("short.yaml", PENDULUM.replace("duration: 1", "duration: 0.001"))
        self.assertIn(f"{short}:4:11 duration: expected 0 or at least one step", self.sinew("run", short, expect=2).stderr)
        self.assertEqual(0, self.run_report(self.scene, "--time", "0")["steps"])
        self.assertEqual(1, self.run_report(self.scene, "--time", "0.01")["steps"])

    def test_every_scene_checks_and_runs(self):
        names = [line.split()[0] for line in self.sinew("list", "scenes").stdout.splitlines()]
        self.assertIn("double_pendulum", names)
        for name in names:
            self.sinew("check", name)
            self.sinew("info", name)
            report = self.run_report(name, "--time", "0.5")
            self.assertLess(report["joint_error"]["max"], 1e-10, name)

    def test_every_scene_runs_with_the_reduced_stepper(self):
        refused = {}  # scene: what the refusal names. None is; one that begins to be, or ceases, fails here
        slow = {"strands": 0.05, "sleeping_wall": 0.05}  # s
        names = [line.split()[0] for line in self.sinew("list", "scenes").stdout.splitlines()]
        self.assertLessEqual({*refused, *slow}, {*names})
        for name in names:
            arguments = [name, "--stepper", "reduced", "--time", slow.get(name, 0.5)]
            if name in refused:
                self.assertIn(refused[name], self.sinew("run", *arguments, expect=2).stderr)
                continue
            report = self.run_report(*arguments, "--quiet")
            self.assertEqual((report["stepper"], report["status"], report["solver"]["not_converged"]), ("reduced", "completed", 0), name)
            self.assertLess(report["joint_error"]["max"], 5e-12, name)  # of loops: closure_tolerance
            self.assertLess(report["energy"]["max_abs_error"], 1e-5, name)

    def test_the_reduced_stepper_names_what_it_cannot_express(self):  # a rod on two hinges in line, of which one closes a loop
        hinge = "axis: [0, 1, 0]"
        second = PENDULUM.replace("probes:", "  - {name: second, type: revolute, child: rod, anchor: [0, 0.1, 0], axis: [0, 1, 0]}\nprobes:")
        self.sinew("check", self.write("hinges.yaml", second), "--stepper", "reduced")
        for text, place, message in [
                (second + "constraints: [{name: gear, type: gear, joint_a: hinge, joint_b: second, ratio_a: 1, ratio_b: -1}]\n", "constraints[0]",
                 "needs the joints of gears and couplings in its tree, but 'second' closes a loop"),
                (second.replace(hinge + "}", hinge + ", motion: {velocity: {offset: 1}}}"), "joints[1]", "joint 'second' cannot follow a motion: it closes a loop")]:
            lines = self.sinew("run", self.write("bad.yaml", text), "--stepper", "reduced", expect=2).stderr.splitlines()
            self.assertEqual(len(lines), 1, lines)
            self.assertIn(place, lines[0])
            self.assertIn(message, lines[0])

    def test_reproduce_writes_data_picture_and_verdict(self):
        listed = self.sinew("reproduce", "--list").stdout
        self.assertIn("003-fig8 = 002-fig10", listed)
        done = self.sinew("reproduce", "003-fig4d", "002-fig7d", "--quick", "--out", self.path("figures"))
        verdicts = dict(line.split(": ", 1) for line in done.stdout.splitlines())
        read = lambda name: pathlib.Path(self.path(f"figures/{name}")).read_text()
        for name in ["003-fig4d", "002-fig7d"]:
            self.assertTrue(verdicts[name].startswith("Agrees."), verdicts[name])
            self.assertIn(verdicts[name], read(f"{name}.md"))
            self.assertIn(verdicts[name], read("README.md"))
            self.assertIn("</svg>", read(f"{name}.svg"))
            with open(self.path(f"figures/{name}.csv")) as file:
                rows = list(csv.reader(file))
            self.assertGreater(len(rows), 2)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertIn("did you mean '003-fig4a'", self.sinew("reproduce", "003-fig4z", expect=2).stderr)
        self.sinew("reproduce", expect=2)

    def test_lists_and_schema(self):
        self.assertIn("spherical", self.sinew("list", "joints").stdout)
        self.assertIn("variational", self.sinew("list", "steppers").stdout)
        self.assertIn("actuator", self.sinew("list", "forces").stdout)
        schema = json.loads(self.sinew("schema").stdout)
        self.assertIn("bodies", schema["properties"])
        self.assertIn("# ", self.sinew("schema", "--markdown").stdout)

    def test_generated_chains_run(self):
        for joint in ["revolute", "spherical"]:
            text = self.sinew("make", "chain", "--param", "links=7", "--param", f"joint={joint}").stdout
            report = self.run_report(self.write("chain.yaml", text), "--time", "0.2")
            self.assertLess(report["joint_error"]["max"], 1e-10)
            self.assertIn("7, 7 kg", self.sinew("info", self.path("chain.yaml")).stdout)

    def test_resume_is_bit_identical_with_any_thread_count(self):
        chain = self.write("chain.yaml", self.sinew("make", "chain", "--param", "links=300").stdout)
        whole = self.run_report(chain, "--time", "0.1")
        self.sinew("run", chain, "--time", "0.04", "--checkpoint", self.path("c"), "--quiet")
        resumed = self.run_report(chain, "--time", "0.1", "--resume", self.path("c"), "--threads", "2")
        self.assertEqual(resumed["steps"], 60)
        self.assertEqual(resumed["final_state_hash"], whole["final_state_hash"])
        self.assertIn("another scene", self.sinew("run", self.scene, "--resume", self.path("c"), expect=2).stderr)

    def test_checkpoints_on_the_way(self):
        self.sinew("run", self.scene, "--checkpoint", self.path("c"), "--every", "0.3", "--time", "0.5")
        report = self.run_report(self.scene, "--resume", self.path("c"), "--time", "1")
        self.assertEqual(report["steps"], 50)
        self.assertEqual(report["final_state_hash"], self.run_report(self.scene)["final_state_hash"])

    def test_recordings_export_and_plot(self):
        self.sinew("run", self.scene, "--record", "a.mcap", "--probes", "p.csv")
        with open(self.path("p.csv")) as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][:3], ["time [s]", "angle [rad]", "tip.x [m]"])
        exported = list(csv.reader(self.sinew("export", "a.mcap", "--csv").stdout.splitlines()))
        self.assertEqual(len(exported), len(rows))
        self.assertEqual(exported[-1][1], rows[-1][1])
        self.assertEqual(float(rows[-1][0]), 1.0)
        data = json.loads(self.sinew("export", "a.mcap", "--json", "--poses").stdout)
        self.assertIn("rod.qw", [column["name"] for column in data["columns"]])
        for name in ["a.svg", "a.png"]:
            self.sinew("plot", "a.mcap", "--probe", "tip", "--probe", "angle", "--energy", "--joint-error", "-o", name)
            self.assertGreater(os.path.getsize(self.path(name)), 5000)
        self.assertIn("did you mean", self.sinew("plot", "a.mcap", "--probe", "anglee", "-o", "a.svg", expect=2).stderr)
        self.sinew("plot", "a.mcap", "-o", "a.jpeg", expect=2)

    def test_a_step_that_fails_ends_with_3_and_saves_the_last_good_state(self):
        bodies = PENDULUM.replace("box, size: [0.1, 0.1, 1]}, mass: 1", "box, size: [0.1, 0.1, 1]}, mass: 1, angular_velocity: [0, 500, 0], velocity: [0, 0, -250]")
        fast = self.write("fast.yaml", bodies + "max_step_halvings: 0\n")
        done = self.sinew("run", fast, "--record", "f.mcap", "--report", self.path("r.json"), expect=3)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1)
        self.assertIn("body 'rod'", lines[0])
        self.assertIn("reduce dt", lines[0])
        self.assertTrue(os.path.exists(self.path("pendulum.failed.checkpoint")))
        with open(self.path("r.json")) as file:
            report = json.load(file)
        self.assertEqual((report["status"], report["solver"]["not_converged"]), ("failed", 1))
        self.assertIn("step_failed", self.sinew("export", "f.mcap", "--json").stdout)
        resumed = self.run_report(fast, "--resume", "pendulum.failed.checkpoint", "--time", "0")
        self.assertEqual(resumed["steps"], 0)

    def test_overlaps_at_the_start_are_told(self):
        scene = self.write("overlap.yaml", "sinew: 1\nname: overlap\nduration: 0.05\nworld: {type: plane}\nbodies:\n"
                           "  - {name: a, mass: 1, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 0.4]}\n"
                           "  - {name: b, mass: 1, shape: {type: sphere, radius: 0.5}, position: [0, 0, 0.8]}\n")
        told = "'a' and 'b' overlap by 0.6 m at the start"
        for command in ["check", "info", "run"]:
            lines = [line for line in self.sinew(command, scene).stdout.splitlines() if "warning" in line]
            self.assertEqual(len(lines), 2, lines)
            self.assertIn(told, lines[0])
            self.assertIn("'a' and the world overlap by 0.1 m", lines[1])
        warnings = self.run_report(scene, "--record", "o.mcap")["warnings"]
        self.assertEqual(len(warnings), 2)
        self.assertTrue(warnings[0].startswith(told))
        recorded = self.sinew("export", "o.mcap", "--json").stdout
        self.assertIn("start_warning", recorded)
        self.assertIn(told, recorded)
        self.assertEqual(self.run_report(self.scene)["warnings"], [])
        self.assertNotIn("warning", self.sinew("check", self.scene).stdout)

    def test_a_step_that_fails_says_what_was_tried(self):
        text = PENDULUM.replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], motion: {position: {expression: \"sqrt(0.255 - t) - sqrt(0.255)\"}}}")
        scene = self.write("ends.yaml", text + "stepper: reduced\nmax_step_halvings: 2\n")
        done = self.sinew("run", scene, "--report", self.path("r.json"), expect=3)
        self.assertIn("the motion of joint 'hinge' (joints[0].motions[0]) is not finite", done.stderr)
        self.assertRegex(done.stdout, r"failures +\d+ step halvings, \d+ of them in step 26, where the run stopped: it failed in parts of 0.0025 s")
        self.assertIn("the last was not reached", done.stdout)
        with open(self.path("r.json")) as file:
            report = json.load(file)
        self.assertGreaterEqual(report["solver"]["step_halvings"], 2)
        self.assertEqual(report["solver"]["first_halving_time"], 0.25)
        self.assertNotEqual(report["solver"]["first_halving_reason"], "")
        self.assertIsNone(report["energy"]["max_abs_error_last_tenth"])
        self.assertEqual([tenth["lowest_error"] is None for tenth in report["energy"]["by_tenth"]], [False] * 3 + [True] * 7)

    def test_what_a_stepper_refuses_has_a_place(self):
        scene = self.write("driven.yaml", PENDULUM.replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], motion: {velocity: {offset: 1}}}"))
        self.assertIn(f"{scene}:8:5 joints[0]: 'hinge': the variational stepper does not know", self.sinew("check", scene, expect=2).stderr)

    def compare(self, scene, steppers, *arguments, **options):
        done = self.sinew("compare", scene, "--steppers", steppers, "--report", self.path("c.json"), *arguments, **options)
        with open(self.path("c.json")) as file:
            return done, json.load(file)

    def test_compare_finds_the_order_with_which_steppers_meet(self):
        done, report = self.compare("double_pendulum", "variational,reduced", "--time", "0.5", "--plot", self.path("c.svg"))
        self.assertEqual(done.stderr, "")
        self.assertIn("largest difference from variational", done.stdout)
        orders = [row["order"] for row in report["differences"] if row["verdict"] == "order"]
        self.assertGreater(len(orders), 3)
        for order in orders:
            self.assertAlmostEqual(order, 2, delta=0.1)
        rows = [line.split() for line in done.stdout.splitlines()]
        tip = next(row for row in rows if row[:3] == ["tip", "m", "reduced"])
        self.assertAlmostEqual(float(tip[-1]), 2, delta=0.1)
        self.assertEqual((report["reference"], report["refusals"], report["overlaps"]), ("variational", [], []))
        self.assertEqual({row["expected_order"] for row in report["differences"]}, {2})
        self.assertIn("energy of all", {row["quantity"] for row in report["differences"]})
        self.assertTrue(report["come_together"])
        self.assertEqual(done.stdout.splitlines()[-1].strip(), "come together: yes")
        self.assertEqual([run["steps"] for run in report["runs"]][:3], [round(0.5 / dt) for dt in report["dt"]])
        picture = pathlib.Path(self.path("c.svg")).read_text()
        self.assertTrue(picture.endswith("</svg>\n"))
        self.assertGreater(len(picture), 5000)

    def test_compare_comes_together_at_a_joint_stop(self):  # one meets it within a step, the other at the end of one
        stopped = self.write("stopped.yaml", PENDULUM.replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], upper: [0.5]}"))
        done, report = self.compare(stopped, "variational,reduced", "--time", "0.6", "--dt", "0.01,0.005,0.0025")
        self.assertTrue(report["come_together"], done.stdout)
        angle = next(row for row in report["differences"] if row["quantity"] == "angle")
        self.assertLess(angle["largest"][-1], 0.02)
        self.assertRegex(done.stdout.splitlines()[-1], "come together: yes")
        self.sinew("run", stopped, "--time", "0.6", "--probes", self.path("p.csv"))
        with open(self.path("p.csv")) as file:
            self.assertAlmostEqual(float(list(csv.reader(file))[-1][1]), 0.5, delta=1e-6)  # it lies there

    def test_compare_says_what_stays_apart(self):  # one of them knows no friction
        done, report = self.compare("rolling_ball", "reduced,{type: reduced, contact: frictionless}", "--time", "0.2")
        self.assertIs(report["come_together"], False)
        self.assertRegex(done.stdout.splitlines()[-1], "come together: no: .* by {type: reduced, contact: frictionless}")
        self.assertIn("apart", {row["verdict"] for row in report["differences"]})

    def test_compare_leaves_out_what_is_not_unique(self):  # joints of a plane loop in space repeat three directions
        done, report = self.compare("four_bar", "variational,reduced", "--time", "0.2")
        self.assertIn("joints a, b, c, d overlap in 3 directions", done.stdout)
        self.assertIn("not unique", done.stdout)
        verdicts = {row["quantity"]: row["verdict"] for row in report["differences"]}
        self.assertEqual({verdicts["reaction of " + name] for name in "abcd"}, {"not_unique"})
        self.assertEqual(verdicts["crank_angle"], "order")

    def test_compare_says_agree_where_tolerances_decide(self):
        done, report = self.compare("rolling_ball", "variational,reduced", "--time", "0.3")
        verdicts = {row["verdict"] for row in report["differences"]}
        self.assertTrue("agrees" in verdicts and verdicts <= {"agrees", "equal"}, verdicts)
        self.assertIn("agree to", done.stdout)
        self.assertTrue(report["come_together"])
        self.assertLess(max(max(row["largest"]) for row in report["differences"]), 1e-8)

    def test_compare_finds_the_order_in_contact(self):  # that lasts, and whose force changes smoothly
        for steppers, order in [("variational,reduced", 2), ("variational,maximal", 1)]:
            _, report = self.compare("sliding_ball", steppers)
            self.assertTrue(report["come_together"])
            for row in report["differences"]:
                self.assertAlmostEqual(row["order"], order, delta=0.15, msg=row)

    def test_compare_agrees_with_what_tolerances_leave(self):  # 2e-10 J may fall as they like
        done, report = self.compare("box_stack", "variational,reduced", "--time", "0.3")
        self.assertLessEqual({row["verdict"] for row in report["differences"]}, {"agrees", "equal"}, report["differences"])
        self.assertEqual(done.stdout.splitlines()[-1].strip(), "come together: yes")

    def test_compare_goes_on_without_steppers_that_refuse(self):
        done, report = self.compare("bearings", "variational,reduced,{type: reduced, integrator: sdirk2}", "--time", "0.02")
        reason = "joints[0]: 'pin': the variational stepper does not know friction under load"
        self.assertIn("refuses this scene: " + reason, done.stdout)
        self.assertEqual([refusal["stepper"] for refusal in report["refusals"]], ["variational"])
        self.assertIn(reason, report["refusals"][0]["reason"])
        self.assertEqual(report["reference"], "reduced")
        self.assertEqual({row["stepper"] for row in report["differences"]}, {"{type: reduced, integrator: sdirk2}"})
        line = self.sinew("compare", "bearings", "--steppers", "variational,reduced", "--time", "0.02", expect=2).stderr
        self.assertEqual(len(line.splitlines()), 1)
        self.assertIn("got reduced; variational refuses it: " + reason, line)

    def test_compare_goes_on_without_steps_that_fail(self):  # a variational step turns by less than half a turn: ω < 2/dt
        text = PENDULUM.replace("mass: 1", "mass: 1, angular_velocity: [0, 500, 0], velocity: [0, 0, -250]")
        fast = self.write("fast.yaml", text + "max_step_halvings: 0\n")
        done, report = self.compare(fast, "variational,reduced", "--time", "0.1", "--dt", "0.01,0.00125,0.000625")
        row = next(line for line in done.stdout.splitlines() if "failed at t" in line)
        self.assertTrue(row.split()[:2] == ["variational", "0.01"] and "failed at t = 0 s: " in row and "body 'rod'" in row, row)
        self.assertEqual(report["reference"], "reduced")
        failed = [run for run in report["runs"] if run["failure"]]
        self.assertEqual([(run["stepper"], run["dt"], run["failure_time_s"]) for run in failed], [("variational", 0.01, 0)])
        for difference in report["differences"]:
            self.assertIsNone(difference["largest"][0])
            self.assertIsInstance(difference["largest"][2], float)
        done = self.sinew("compare", fast, "--steppers", "variational,reduced", "--time", "0.1", "--dt", "0.01", expect=3)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("variational: with no dt two steppers came to the end", done.stderr)

    def test_compare_takes_no_nonsense(self):
        for arguments in [["--steppers", "variational,flying"], ["--steppers", "variational"], [], ["--steppers", "variational,reduced", "--dt", "-1"],
                          ["--steppers", "variational,reduced", "--dt", "0.01,0.003"], ["--steppers", "variational,reduced", "--plot", "c.jpeg"],
                          ["--steppers", "variational,reduced", "--report", "/no/such/folder/c.json"]]:
            done = self.sinew("compare", self.scene, "--time", "0.05", *arguments, expect=2)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn("known: variational, reduced, maximal", self.sinew("compare", self.scene, "--steppers", "variational,flying", expect=2).stderr)
        bad = self.write("bad.yaml", PENDULUM.replace("anchor: [0, 0, 0]", "parent_frame: {}, child_frame: {}"))
        line = self.sinew("compare", bad, "--steppers", "variational,reduced", expect=2).stderr
        self.assertIn(f"{bad}:8:5 joints[0]: joint 'hinge' does not meet at t = 0", line)

    def test_compare_shows_its_progress_to_people(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen([SINEW, "compare", self.scene, "--steppers", "variational,reduced", "--time", "100"], cwd=self.folder.name,
                                   stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertIn("compare", shown.decode())
        self.assertRegex(shown.decode(), r"\d+ %  compare  .* left")

    def start_long_run(self):
        return subprocess.Popen([SINEW, "run", self.scene, "--time", "100000", "--record", "k.mcap", "--report", "k.json"], cwd=self.folder.name,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_interrupt_ends_cleanly(self):
        process = self.start_long_run()
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), 130)
        with open(self.path("k.json")) as file:
            self.assertEqual(json.load(file)["status"], "interrupted")
        self.assertEqual(self.sinew("export", "k.mcap").stderr, "")  # a whole file

    def test_killed_runs_leave_readable_recordings(self):
        for _ in range(3):
            process = self.start_long_run()
            time.sleep(random.uniform(1.3, 2.0))
            process.kill()
            process.wait()
            done = self.sinew("export", "k.mcap")
            self.assertIn("cut off", done.stderr)
            times = [float(line.split(",")[0]) for line in done.stdout.splitlines()[1:]]
            self.assertGreater(len(times), 10)
            steps = [b - a for a, b in zip(times, times[1:])]
            self.assertLess(max(steps) - min(steps), 1e-6)  # no frame is missing

    def test_a_recording_is_asked_for_where_a_scene_is_given(self):
        for arguments in [["render", "double_pendulum", "-o", "p.html"], ["plot", self.scene, "-o", "p.svg"], ["export", "double_pendulum"]]:
            text = self.sinew(*arguments, expect=2).stderr
            self.assertIn("is a scene, not a recording", text)
            self.assertIn(f"sinew run {arguments[1]} --record out.mcap", text)
        self.assertIn("cannot open", self.sinew("export", "nowhere.mcap", expect=2).stderr)

    def test_options_that_change_scenes_are_refused_with_recordings(self):
        self.sinew("run", self.scene, "--quiet", "--record", "r.mcap")
        for option, value in [("--dt", "0.1"), ("--stepper", "variational"), ("--time", "3"), ("--set", "dt=0.1")]:
            text = self.sinew("view", "r.mcap", option, value, expect=2).stderr
            self.assertIn(option, text)
            self.assertIn("r.mcap is a recording", text)

    def test_plots_of_a_recording_that_was_cut_off_say_so(self):
        self.sinew("run", self.scene, "--time", "100", "--quiet", "--record", "r.mcap")
        with open(self.path("r.mcap"), "rb") as file:
            data = file.read()
        self.assertEqual(self.sinew("plot", "r.mcap", "-o", "p.svg").stderr, "")
        with open(self.path("cut.mcap"), "wb") as file:
            file.write(data[: int(0.7 * len(data))])
        self.assertRegex(self.sinew("plot", "cut.mcap", "-o", "p.svg").stderr, r"cut\.mcap: the recording was cut off; these are its \d+ whole frames")

    def record(self, name="r.mcap", *arguments):
        self.sinew("run", self.scene, "--quiet", "--record", self.path(name), *arguments)
        return self.path(name)

    def bytes_of(self, name):
        return pathlib.Path(self.path(name)).read_bytes()

    def refused(self, *arguments, **options):
        """The one line with which it is refused."""
        done = self.sinew(*arguments, expect=2, **options)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertNotIn("internal error", done.stderr)
        return done.stderr

    def with_page(self):  # what stands for the viewer's page where none is built
        return {"env": {**os.environ, "SINEW_VIEWER": self.write("viewer.html", "<title>Sinew</title><!--sinew-stream-->"), "SINEW_BROWSER": "/bin/false"}}

    def test_no_output_takes_the_place_of_an_input(self):
        self.record()
        os.symlink("r.mcap", self.path("soft.png"))
        os.link(self.path("r.mcap"), self.path("hard.mp4"))
        os.symlink("pendulum.yaml", self.path("link.svg"))
        os.mkdir(self.path("sub"))
        before = {name: self.bytes_of(name) for name in ["r.mcap", "pendulum.yaml"]}
        render, run, plot = ["render", "r.mcap"], ["run", "pendulum.yaml"], ["plot", "r.mcap", "-o"]
        compare = ["compare", "pendulum.yaml", "--steppers", "variational,reduced", "--time", "0.02"]
        for arguments in [[*render, "-o", "r.mcap"], [*render, "-o", "./sub/../r.mcap"], [*render, "--png", "soft.png"], [*render, "--webm", "r.mcap"], [*render, "--mp4", "hard.mp4"],
                          [*run, "--record", "pendulum.yaml"], [*run, "--report", "link.svg"], [*run, "--probes", "pendulum.yaml"], [*run, "--checkpoint", "pendulum.yaml"],
                          [*run, "--record", "a", "--report", "sub/../a"], [*run, "--probes", "a", "--report", "a"], [*run, "--resume", "r.mcap", "--record", "r.mcap"],
                          [*plot, "r.mcap"], [*plot, "soft.png"], ["export", "r.mcap", "-o", "r.mcap"], [*compare, "--plot", "link.svg"], [*compare, "--report", "pendulum.yaml"],
                          [*compare, "--plot", "a.svg", "--report", "a.svg"], [*render, "-o", "a.png", "--png", "a.png"]]:
            line = self.refused(*arguments, **self.with_page())
            self.assertRegex(line, "^-[-a-z0-9]+: ", arguments)
        self.assertEqual({name: self.bytes_of(name) for name in before}, before)
        self.assertFalse(os.path.exists(self.path("a")))
        self.assertIn("'r.mcap' is the recording itself; expected another file", self.refused(*render, "-o", "r.mcap"))

    def test_a_run_may_replace_the_checkpoint_it_goes_on_from(self):
        self.sinew("run", self.scene, "--time", "0.5", "--quiet", "--checkpoint", "c")
        self.sinew("run", self.scene, "--quiet", "--resume", "c", "--checkpoint", "c")
        self.assertEqual(self.run_report(self.scene, "--resume", "c")["steps"], 0)

    def test_what_was_there_stays_until_the_new_is_whole(self):
        self.record()
        self.write("old.png", "old")
        os.chmod(self.path("old.png"), 0o640)
        os.symlink("old.png", self.path("link.png"))
        self.assertIn("did not draw", self.refused("render", "r.mcap", "--png", "old.png", **self.with_page()))
        self.assertEqual(self.bytes_of("old.png"), b"old")
        self.sinew("plot", "r.mcap", "-o", "link.png")
        self.assertTrue(self.bytes_of("old.png").startswith(b"\x89PNG"))
        self.assertTrue(os.path.islink(self.path("link.png")))
        self.assertEqual(os.stat(self.path("old.png")).st_mode & 0o777, 0o640)
        self.assertEqual(self.sinew("export", "r.mcap", "-o", "/dev/stdout").stdout, self.sinew("export", "r.mcap").stdout)
        self.assertEqual([name for name in os.listdir(self.folder.name) if name.endswith(".new")], [])

    def test_outputs_that_cannot_be_written_are_refused_before_the_work(self):
        self.record()
        self.write("file", "")
        for arguments, reason in [(["render", "r.mcap", "--png", "/nonexistent/x.png"], "--png: cannot write '/nonexistent/x.png': /nonexistent: No such file or directory"),
                                  (["render", "r.mcap", "--mp4", "file/f.mp4"], "Not a directory"), (["render", "r.mcap", "-o", "."], "-o: expected a file to write, got the folder '.'"),
                                  (["render", "r.mcap", "--frames", "file"], "--frames: expected a folder, got the file 'file'"), (["render", "r.mcap", "--frames", "/proc/x"], "/proc"),
                                  (["render", "r.mcap", "--frames", "file/d"], "Not a directory"), (["plot", "r.mcap", "-o", "no/p.svg"], "No such file"),
                                  (["reproduce", "003-fig4d", "--quick", "--out", "file"], "--out: expected a folder"), (["export", "r.mcap", "-o", "no/x.csv"], "No such file"),
                                  (["run", self.scene, "--report", "no/r.json"], "--report: cannot write")]:
            self.assertIn(reason, self.refused(*arguments, **self.with_page()))

    def test_render_refuses_what_it_does_not_understand(self):
        self.record()
        for view, reason in [("shwo=frames", "got 'shwo=frames' (did you mean 'show'?)"), ("show=frmes", "show: expected layers, got 'frmes' (did you mean 'frames'?)"),
                             ("select=nobody", "select: expected the name of a body, joint, muscle, cable or strand, got 'nobody'"), ("camera=1,2,3", "six numbers"), ("follow=tip", "follow"),
                             ("time=x", "time: expected a number"), ("time=2", "expected 0 to 1 s"), ("trail=-1", "trail"), ("thickness=nan", "thickness"), ("panels=of", "panels"), ("theme=red", "theme"),
                             ("quality=medium", "quality"), ("plots=tpi", "plots: expected names of plots, got 'tpi' (did you mean 'tip'?)"), ("&", "expected settings"), ("show", "expected settings")]:
            self.assertIn(reason, self.refused("render", "r.mcap", "-o", "p.html", "--view", view, **self.with_page()))
        for arguments, reason in [(["--time", "nan"], "got 'nan'"), (["--time", "-5"], "got '-5'"), (["--time", "1e9"], "--time: expected 0 to 1 s, which the recording has, got 1e+09"),
                                  (["--png", "x.jpg"], "--png: expected a file name ending in .png, got 'x.jpg'"), (["--mp4", "x.webm"], "--mp4: expected a file name ending in .mp4"),
                                  (["--frames", "d", "--fps", "200", "--speed", "1e-9"], "at most 100000 pictures, got 2e+11"), (["--frames", "d", "--speed", "1e-5"], "at most 100000 pictures")]:
            self.assertIn(reason, self.refused("render", "r.mcap", "-o", "p.html", *arguments, **self.with_page()))
        self.assertFalse(os.path.exists(self.path("p.html")) or os.path.exists(self.path("d")))
        layers = pathlib.Path(__file__).parents[2].joinpath("viewer/src/overlays.ts").read_text().split("export const LAYERS = [")[1].split("]")[0].replace('"', "").replace(" ", "")
        for view in [f"show={layers}&hide={layers}", "time=0.5&theme=dark&panels=off&quality=low&trail=2&thickness=1.5&camera=1,-2,3e0,4,5,6", "select=rod&follow=hinge&plots=tip,energy.error,energy", "select=r%6Fd"]:
            self.sinew("render", "r.mcap", "-o", "p.html", "--view", view, **self.with_page())

    def test_a_recording_without_frames_has_no_picture(self):
        data = pathlib.Path(self.record()).read_bytes()
        cut = next(n for n in range(200, len(data)) if not self.try_frames(data[:n]))  # the header alone
        pathlib.Path(self.path("cut.mcap")).write_bytes(data[:cut])
        done = self.sinew("render", "cut.mcap", "--png", "p.png", expect=2, **self.with_page())
        self.assertEqual(done.stderr.splitlines()[-1], "cut.mcap: has no frames: there is nothing to draw")

    def try_frames(self, data):
        """False for a recording of which only the header is whole."""
        pathlib.Path(self.path("try.mcap")).write_bytes(data)
        done = subprocess.run([SINEW, "export", "try.mcap"], capture_output=True, text=True, cwd=self.folder.name, timeout=60)
        return done.returncode != 0 or done.stdout.count("\n") > 1

    def test_plots_suggest_names(self):
        self.record()
        self.assertIn("--probe: the recording has no 'tpi' (did you mean 'tip'?)", self.refused("plot", "r.mcap", "--probe", "tpi", "-o", "p.svg"))
        self.assertRegex(self.refused("plot", "r.mcap", "--probe", "unlike_any_name", "-o", "p.svg"), r"\(known: angle, tip, energy, ")

    def test_a_live_run_has_no_end(self):
        self.assertRegex(self.refused("view", self.scene, "--time", "0.5"), "^--time: a live run has no end, got 0.5 s; ")


if __name__ == "__main__":
    unittest.main(verbosity=1)
