package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.CleatClient;
import io.cleat.api.LogFrame;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;

/** {@code alloc logs}: what a task printed. */
final class AllocationLogs {
    static final Verb VERB =
            Verb.named("alloc logs", "Print what a task printed")
                    .takes(1, 2, "<allocation> [task]")
                    .about(
                            "Prints a task's output. The task may be left out when the allocation has"
                                    + " only one. Followed, it goes on over rotated files, restarts of"
                                    + " the task and a restart of the node's agent.")
                    .flags(
                            Flag.yes(
                                    "stderr", "Its standard error instead of its standard output."),
                            Flag.yes("stdout", "Its standard output; the default."),
                            AllocationChoice.TASK,
                            AllocationChoice.JOB,
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
    static final int BYTES_PER_LINE = 1024;

    private AllocationLogs() {}

    private static int print(Call call)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        CleatClient client = call.client();
        String id = AllocationChoice.id(call, client);
        Allocation allocation = client.allocations().get(id, Params.none()).body();
        String task =
                AllocationChoice.task(
                        call, allocation, call.arguments().stream().skip(1).findFirst());
        boolean follow = call.flags().has("f");
        int lines = AllocationChoice.number(call, "n", 10);
        int bytes = AllocationChoice.number(call, "c", 0);
        boolean isEnd =
                call.flags().has("tail")
                        || call.flags().value("n").isPresent()
                        || call.flags().value("c").isPresent();
        int wanted = bytes > 0 ? bytes : lines * BYTES_PER_LINE;
        LogOutput output =
                isEnd && bytes == 0
                        ? new LogOutput.LastLines(call, lines)
                        : new LogOutput.All(call);
        LogFollower frames =
                new LogFollower(
                        call,
                        client.allocations(),
                        new LogFollower.Output(
                                id, task, call.flags().has("stderr") ? "stderr" : "stdout"),
                        follow);
        frames.read(
                isEnd ? wanted : 0,
                isEnd ? "end" : "start",
                frame -> {
                    if (!frame.FileEvent().isEmpty()) {
                        call.say("cleat: \"%s\": %s".formatted(frame.FileEvent(), frame.File()));
                    }
                    byte[] got = frame.bytes();
                    if (got.length > 0) {
                        output.add(got);
                    }
                    if (follow && got.length < LogFrame.MOST_BYTES) {
                        // It goes to the end of what there was; what follows is new.
                        output.caughtUp();
                    }
                });
        output.end();
        return 0;
    }
}
