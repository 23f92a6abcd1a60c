package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;

/** {@code alloc logs}: what a task printed. */
final class AllocationLogs {
    static final Verb VERB = Verb.named("alloc logs", "Print what a task printed")
            .takes(1, 2, "<allocation> [task]")
            .about("Prints a task's output. The task may be left out when the allocation has"
                    + " only one. Followed, it goes on over rotated files, restarts of"
                    + " the task and a restart of the node's agent.")
            .flags(
                    Flag.yes("stderr", "Its standard error instead of its standard output."),
                    Flag.yes("stdout", "Its standard output; the default."),
                    AllocationChoice.TASK,
                    AllocationChoice.JOB,
                    Flag.yes("f", "Go on as more is printed, until interrupted."),
                    Excerpt.TAIL,
                    Excerpt.LINES,
                    Excerpt.BYTES,
                    Flag.RAW,
                    Flag.VERBOSE)
            .examples(
                    "cleat alloc logs 2849ded8",
                    "cleat alloc logs -f -stderr 2849ded8 t",
                    "cleat alloc logs -tail -n 20 -job web")
            .does(AllocationLogs::print);

    private AllocationLogs() {}

    private static int print(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        CleatClient client = call.client();
        String id = AllocationChoice.id(call, client);
        Allocation allocation = client.allocations().get(id, Params.none()).body();
        String task = AllocationChoice.task(
                call, allocation, call.arguments().stream().skip(1).findFirst());
        Excerpt excerpt = Excerpt.of(call);
        LogOutput output = excerpt.output(call);
        LogFollower frames = new LogFollower(
                call,
                client.allocations(),
                new LogFollower.Output(id, task, call.flags().has("stderr") ? "stderr" : "stdout"),
                excerpt.follow());
        frames.read(excerpt.offset(), excerpt.origin(), frame -> output.add(frame, excerpt.follow()));
        output.end();
        return 0;
    }
}
