package io.cleat.clusterapi.allocations;

import io.cleat.api.Nanos;
import io.cleat.api.TaskEvent;
import io.cleat.api.TaskState;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** How tasks are. The event's older fields repeat its details, for clients that read only those. */
final class TaskView {
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

    private TaskView() {}

    static Map<String, TaskState> states(Map<String, io.cleat.model.TaskState> tasks) {
        Map<String, TaskState> states = new TreeMap<>();
        tasks.forEach((name, state) -> states.put(name, state(state)));
        return states;
    }

    private static TaskState state(io.cleat.model.TaskState state) {
        return new TaskState(
                state.events().stream().map(TaskView::event).toList(),
                state.failed(),
                state.finishedAt(),
                state.lastRestart(),
                "",
                state.restarts(),
                state.startedAt(),
                state.phase().wire());
    }

    static TaskEvent event(io.cleat.model.TaskEvent event) {
        Map<String, String> details = event.details();
        return new TaskEvent(
                new TreeMap<>(details),
                number(details, "disk_limit"),
                event.message(),
                text(details, "download_error"),
                text(details, "driver_error"),
                text(details, "driver_message"),
                (int) number(details, "exit_code"),
                text(details, "failed_sibling"),
                text(details, "fails_task").equals("true"),
                text(details, "generic_source"),
                text(details, "kill_error"),
                text(details, "kill_reason"),
                number(details, "kill_timeout"),
                text(details, "message"),
                text(details, "restart_reason"),
                text(details, "setup_error"),
                (int) number(details, "signal"),
                number(details, "start_delay"),
                text(details, "task_signal"),
                text(details, "task_signal_reason"),
                Nanos.of(event.at()),
                event.type(),
                text(details, "validation_error"),
                text(details, "vault_error"));
    }

    private static String text(Map<String, String> details, String name) {
        return details.getOrDefault(name, "");
    }

    /** A node's own words may be anything; what is no number says nothing. */
    private static long number(Map<String, String> details, String name) {
        String text = details.get(name);
        return text != null && NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
    }
}
