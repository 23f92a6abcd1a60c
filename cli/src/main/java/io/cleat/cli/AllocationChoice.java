package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which allocation and which of its tasks a command line means. */
final class AllocationChoice {
    static final Flag TASK = Flag.value("task", "name", "The task, where there are several.");
    static final Flag JOB = Flag.yes("job", "The argument is a job: its newest allocation.");

    private AllocationChoice() {}

    /** The allocation that the first argument means. */
    static String id(Call call, CleatClient client) throws Failure, UnexpectedAnswer, LinkTrouble {
        return call.flags().has(JOB)
                ? newest(client, call.argument(0))
                : AllocationVerbs.find(client, call.argument(0));
    }

    private static String newest(CleatClient client, String job) throws Failure, UnexpectedAnswer, LinkTrouble {
        return client.jobs().allocations(job, false, Params.none()).body().stream()
                .max(Comparator.comparing(
                                (AllocationStub one) -> one.ClientStatus().equals("running"))
                        .thenComparingLong(AllocationStub::CreateIndex))
                .orElseThrow(() ->
                        new Failure("job \"%s\" has no allocations".formatted(job), "why: cleat job status " + job))
                .ID();
    }

    /**
     * The task that is meant: the one that is named, else the only one.
     *
     * @param argument the task as a verb's argument, where it takes one
     */
    static String task(Call call, Allocation allocation, Optional<String> argument) throws Failure {
        Optional<String> named = call.flags().value("task").or(() -> argument);
        if (named.isPresent()) {
            requireTask(call, allocation, named.get());
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
                    "name it with -task=NAME");
        }
        return tasks.iterator().next();
    }

    /** Fails with the tasks that there are. */
    static void requireTask(Call call, Allocation allocation, String task) throws Failure {
        Set<String> tasks = new TreeSet<>(tasks(allocation));
        if (!tasks.isEmpty() && !tasks.contains(task)) {
            throw new Failure(
                    "allocation \"%s\" has no task \"%s\"".formatted(call.id(allocation.ID()), task),
                    "it has: " + String.join(", ", tasks));
        }
    }

    private static Set<String> tasks(Allocation allocation) {
        return allocation.TaskStates() == null
                ? Set.of()
                : allocation.TaskStates().keySet();
    }

    /** A flag that is a number above 0. */
    static int number(Call call, String flag, int without) throws Failure {
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
        throw new Failure("flag -%s takes a number above 0, got \"%s\"".formatted(flag, given.get()));
    }
}
