package io.cleat.driver;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Paths;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where a task's program is. A task may have made links of its directory to anywhere, and its volumes may hang: so path
 * workers of that task alone look, with a deadline. Any thread.
 */
public record ProgramSearch(PathWorkers workers, Time time) {
    private static final Duration WITHIN = Duration.ofSeconds(10);

    /**
     * The first of some places at which there is a program.
     *
     * @param id of the task
     * @param places in their order; what is no path is passed over
     * @throws KernelTrouble with no effect on the task if one of them hangs
     */
    public Optional<Path> first(String id, List<String> places) throws KernelTrouble, InterruptedException {
        String key = "program/" + id;
        Paths paths = workers.of(key);
        Deadline deadline = Deadline.in(time, WITHIN);
        try {
            for (String place : places) {
                Optional<Path> path = TextPath.of(place);
                if (path.isPresent() && paths.isProgram(path.get(), deadline)) {
                    return path;
                }
            }
            return Optional.empty();
        } catch (KernelTrouble trouble) {
            // Nothing was begun yet.
            throw new KernelTrouble(
                    "where its program is cannot be seen: " + trouble.reason(),
                    Effect.NONE,
                    Retry.AFTER_OBSERVING,
                    trouble);
        } finally {
            workers.rest(key);
        }
    }
}
