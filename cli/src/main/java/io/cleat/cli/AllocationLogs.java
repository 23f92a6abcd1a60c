package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.LogFrame;
import io.cleat.api.LogStream;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** {@code alloc logs}: what a task printed. */
final class AllocationLogs {
    static final Verb VERB =
            Verb.named("alloc logs", "Print what a task printed")
                    .takes(1, 2, "<allocation> [task]")
                    .about(
                            "Prints a task's output. The task may be left out when the allocation has"
                                    + " only one.")
                    .flags(
                            Flag.yes(
                                    "stderr", "Its standard error instead of its standard output."),
                            Flag.yes("stdout", "Its standard output; the default."),
                            Flag.value("task", "name", "The task, instead of a second argument."),
                            Flag.yes("job", "The argument is a job: its newest allocation."),
                            Flag.yes("f", "Go on as more is printed, until interrupted."),
                            Flag.yes(
                                    "tail",
                                    "Only the end: the last 10 lines unless -n or -c says."),
                            Flag.value("n", "lines", "How many lines of the end."),
                            Flag.value("c", "bytes", "How many bytes of the end."),
                            Flag.VERBOSE)
                    .examples(
                            "cleat alloc logs 2849ded8",
                            "cleat alloc logs -f -stderr 2849ded8 t",
                            "cleat alloc logs -tail -n 20 -job web")
                    .does(AllocationLogs::print);

    /** Per line, when the end is counted in lines: enough for long ones, and cut to size here. */
    private static final int BYTES_PER_LINE = 1024;

    private AllocationLogs() {}

    private static int print(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        CleatClient client = call.client();
        String id =
                call.flags().has("job")
                        ? newest(client, call.argument(0))
                        : AllocationVerbs.find(client, call.argument(0));
        Allocation allocation = client.allocations().get(id, Params.none()).body();
        String task = task(call, allocation);
        boolean follow = call.flags().has("f");
        int lines = number(call, "n", 10);
        int bytes = number(call, "c", 0);
        boolean isEnd =
                call.flags().has("tail")
                        || call.flags().value("n").isPresent()
                        || call.flags().value("c").isPresent();
        int wanted = bytes > 0 ? bytes : lines * BYTES_PER_LINE;
        LogOutput output =
                isEnd && bytes == 0
                        ? new LogOutput.LastLines(call, lines)
                        : new LogOutput.All(call);
        try (LogStream stream =
                client.allocations()
                        .logs(
                                id,
                                task,
                                call.flags().has("stderr") ? "stderr" : "stdout",
                                follow,
                                isEnd ? wanted : 0,
                                isEnd ? "end" : "start")) {
            for (Optional<LogFrame> frame = stream.next();
                    frame.isPresent();
                    frame = stream.next()) {
                LogFrame got = frame.get();
                if (!got.FileEvent().isEmpty()) {
                    call.say("cleat: \"%s\": %s".formatted(got.FileEvent(), got.File()));
                }
                if (!got.Data().isEmpty()) {
                    output.add(got.bytes());
                    if (follow) {
                        // The first frame holds what there was; more of it than that is new.
                        output.caughtUp();
                    }
                }
            }
        }
        output.end();
        return 0;
    }

    private static String newest(CleatClient client, String job)
            throws Failure, UnexpectedAnswer, LinkTrouble {
        return client.jobs().allocations(job, false, Params.none()).body().stream()
                .max(
                        Comparator.comparing(
                                        (AllocationStub one) ->
                                                one.ClientStatus().equals("running"))
                                .thenComparingLong(AllocationStub::CreateIndex))
                .orElseThrow(
                        () ->
                                new Failure(
                                        "job \"%s\" has no allocations".formatted(job),
                                        "why: cleat job status " + job))
                .ID();
    }

    private static String task(Call call, Allocation allocation) throws Failure {
        List<String> arguments = call.arguments();
        Optional<String> named =
                call.flags()
                        .value("task")
                        .or(
                                () ->
                                        arguments.size() > 1
                                                ? Optional.of(arguments.get(1))
                                                : Optional.empty());
        if (named.isPresent()) {
            return named.get();
        }
        Set<String> tasks = new TreeSet<>(tasks(allocation));
        if (tasks.size() != 1) {
            throw new Failure(
                    "allocation \"%s\" has %s: which one?"
                            .formatted(
                                    call.id(allocation.ID()),
                                    tasks.isEmpty()
                                            ? "no tasks yet"
                                            : "several tasks (" + String.join(", ", tasks) + ")"),
                    "name it: cleat alloc logs " + call.argument(0) + " TASK");
        }
        return tasks.iterator().next();
    }

    private static Set<String> tasks(Allocation allocation) {
        return allocation.TaskStates() == null ? Set.of() : allocation.TaskStates().keySet();
    }

    private static int number(Call call, String flag, int without) throws Failure {
        Optional<String> given = call.flags().value(flag);
        if (given.isEmpty()) {
            return without;
        }
        try {
            int number = Integer.parseInt(given.get());
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Said below.
        }
        throw new Failure(
                "flag -%s takes a number above 0, got \"%s\"".formatted(flag, given.get()));
    }
}
