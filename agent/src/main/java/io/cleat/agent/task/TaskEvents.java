package io.cleat.agent.task;

import io.cleat.base.Durations;
import io.cleat.base.Time;
import io.cleat.kernel.Paths;
import io.cleat.model.TaskEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The events of a task, with the exact types and words that tools know. */
final class TaskEvents {
    private final Time time;

    TaskEvents(Time time) {
        this.time = time;
    }

    TaskEvent received() {
        return event("Received", "Task received by client", Map.of());
    }

    TaskEvent setup() {
        return event("Task Setup", "Building Task Directory", Map.of("message", "Building Task Directory"));
    }

    TaskEvent sharedUser(String why) {
        return event(
                "Shared User",
                "The task runs as nobody, as others may, and not as a user of its own: " + why,
                Map.of("message", why));
    }

    /** A fresh volume, to the task's user. */
    TaskEvent volumeGiven(String alias, String user) {
        return volumeOwner(alias, "Volume \"" + alias + "\" was empty and root's: it is " + user + "'s now");
    }

    TaskEvent volumeIsOthers(String alias, Paths.Whose whose, String user) {
        return volumeOwner(
                alias,
                ("Volume \"%s\" belongs to user %d and group %d with mode %04o, and the task runs as %s, who may not "
                                + "write in it: say whose it is to be with owner, group or mode in mount_options of the "
                                + "group's volume, or set the task's user")
                        .formatted(alias, whose.uid(), whose.gid(), whose.mode(), user));
    }

    TaskEvent volumeOwnerUnknown(String alias, String why) {
        return volumeOwner(alias, "Whose volume \"" + alias + "\" is cannot be seen: " + why);
    }

    private TaskEvent volumeOwner(String alias, String message) {
        return event("Volume Owner", message, Map.of("volume", alias, "message", message));
    }

    TaskEvent setupFailure(String why) {
        return event("Setup Failure", why, Map.of("setup_error", why, "fails_task", "true"));
    }

    TaskEvent driverFailure(String why) {
        return event("Driver Failure", why, Map.of("driver_error", why));
    }

    /** How far a driver has come with starting the task. */
    TaskEvent driver(String words) {
        return event("Driver", words, Map.of("driver_message", words));
    }

    TaskEvent fault(Throwable fault) {
        String why = "a fault of the agent: " + fault + "; its log says more";
        return event("Agent Fault", why, Map.of("fault", fault.toString(), "fails_task", "true"));
    }

    TaskEvent started() {
        return event("Started", "Task started by client", Map.of());
    }

    TaskEvent terminated(int exitCode, int signal, boolean oomKilled) {
        StringBuilder words = new StringBuilder("Exit Code: ").append(exitCode);
        if (signal != 0) {
            words.append(", Signal: ").append(signal);
        }
        if (oomKilled) {
            words.append(", Exit Message: \"OOM Killed\"");
        }
        return event(
                "Terminated",
                words.toString(),
                Map.of(
                        "exit_code",
                        Integer.toString(exitCode),
                        "signal",
                        Integer.toString(signal),
                        "oom_killed",
                        Boolean.toString(oomKilled)));
    }

    TaskEvent outputLost(long bytes) {
        return event(
                "Output Lost",
                bytes
                        + " bytes of the task's output are lost: too much at once, or the disk had no room or gave no "
                        + "answer",
                Map.of("bytes", Long.toString(bytes)));
    }

    /** Of a task that runs on. */
    TaskEvent outputIsLost(long bytes) {
        return event(
                "Output Lost",
                bytes
                        + " bytes of the task's output are lost so far: too much at once, or the disk"
                        + " has no room or gives no answer",
                Map.of("bytes", Long.toString(bytes)));
    }

    /** The task's end is not known: its shim is gone without leaving an exit code. */
    TaskEvent lost(String why) {
        return event("Terminated", "Exit code unknown: " + why, Map.of("exit_message", why));
    }

    TaskEvent restarting(Duration wait, String reason) {
        return event(
                "Restarting",
                reason + " - Task restarting in " + Durations.words(wait),
                Map.of("start_delay", Long.toString(wait.toNanos()), "restart_reason", reason));
    }

    /** The task is not started before something else is done. */
    TaskEvent held(String reason) {
        return event("Waiting", "Task waits to start: " + reason, Map.of("wait_reason", reason));
    }

    TaskEvent notRestarting(String reason) {
        return event("Not Restarting", reason, Map.of("restart_reason", reason, "fails_task", "true"));
    }

    TaskEvent killing(Duration timeout, String reason) {
        String words = "Sent interrupt. Waiting " + Durations.words(timeout) + " before force killing";
        return event(
                "Killing",
                reason.isEmpty() ? words : words + ": " + reason,
                Map.of("kill_timeout", Long.toString(timeout.toNanos()), "kill_reason", reason));
    }

    TaskEvent killed() {
        return event("Killed", "Task successfully killed", Map.of());
    }

    TaskEvent template(String message) {
        return event("Template", message, Map.of("message", message));
    }

    TaskEvent templateFailed(String why) {
        return event("Template", why, Map.of("message", why, "fails_task", "true"));
    }

    TaskEvent downloading() {
        return event("Downloading Artifacts", "Client is downloading artifacts", Map.of());
    }

    /** Of what source, and why, without secrets. */
    TaskEvent downloadFailed(String source, String why) {
        String words = "failed to download artifact \"" + source + "\": " + why;
        return event("Failed Artifact Download", words, Map.of("download_error", words));
    }

    TaskEvent siblingFailed(String sibling) {
        return event(
                "Sibling Task Failed", "Task's sibling \"" + sibling + "\" failed", Map.of("failed_sibling", sibling));
    }

    TaskEvent leaderDead() {
        return event("Leader Task Dead", "Leader Task in Group dead", Map.of());
    }

    TaskEvent mainsDead() {
        return event("Main Tasks Dead", "Main tasks in the group died", Map.of());
    }

    TaskEvent restartSignaled(String reason) {
        return event("Restart Signaled", reason, Map.of("restart_reason", reason));
    }

    TaskEvent signaling(String signal, String reason) {
        return event(
                "Signaling",
                "Task being sent signal " + signal + ": " + reason,
                Map.of("signal", signal, "task_signal_reason", reason));
    }

    TaskEvent shutdownDelay(Duration delay) {
        return event(
                "Waiting for shutdown delay",
                "Waiting for shutdown_delay of " + Durations.words(delay) + " before killing the task.",
                Map.of("start_delay", Long.toString(delay.toNanos())));
    }

    TaskEvent unhealthy(String why) {
        return event("Alloc Unhealthy", why, Map.of("message", why));
    }

    /** @param limit of the group's disk, in bytes */
    TaskEvent diskExceeded(String why, long limit) {
        return event("Disk Resources Exceeded", why, Map.of("message", why, "disk_limit", Long.toString(limit)));
    }

    TaskEvent runTimeExceeded(String why) {
        return event("Max Run Duration Exceeded", why, Map.of("message", why));
    }

    TaskEvent diskUnmeasured(String why) {
        return event("Disk Not Measured", why, Map.of("message", why));
    }

    TaskEvent networkFaulty(String why) {
        String message = "The allocation's network is not as it was, and its tasks go on: " + why;
        return event("Network Check Failed", message, Map.of("message", message));
    }

    TaskEvent nowhere(String driver, String why) {
        String message = "Services with address_mode = \"driver\" are not found: the driver "
                + driver
                + " gave the task no address of its own: "
                + why;
        return event("No Driver Address", message, Map.of("message", message));
    }

    TaskEvent networkStays(String why) {
        String message = "The allocation's network cannot be removed yet: " + why;
        return event("Network Not Removed", message, Map.of("message", message));
    }

    /** @param names such as {@code attr.cpu.arch} */
    TaskEvent unknownOfNode(List<String> names) {
        String what = names.stream().map(name -> "${" + name + "}").collect(Collectors.joining(", "));
        return event(
                "Unknown Attributes",
                "This node has no " + what + ": empty for the task. `cleat node status -json` of it lists what it has",
                Map.of("names", String.join(",", names)));
    }

    TaskEvent remounted(String alias) {
        return event(
                "Volume Remounted",
                "Volume \"" + alias + "\" was mounted anew after its plugin lost it",
                Map.of("volume", alias));
    }

    TaskEvent notRemounted(String alias, String why) {
        return event(
                "Volume Lost",
                "Volume \"" + alias + "\" could not be shown again: " + why,
                Map.of("volume", alias, "error", why));
    }

    /** An event of the plugin supervisor, whose words are its own. */
    TaskEvent plugin(String type, String message) {
        return event(type, message, Map.of("message", message));
    }

    private TaskEvent event(String type, String message, Map<String, String> details) {
        return new TaskEvent(type, time.now(), message, details);
    }
}
