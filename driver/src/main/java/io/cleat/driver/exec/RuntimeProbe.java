package io.cleat.driver.exec;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.ExitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds an OCI runtime that works here, by having each run {@code true} with limits. */
final class RuntimeProbe {
    private static final List<String> NAMES = List.of("runc", "crun");

    private final List<Path> path;
    private final Trial trial;

    /** Runs {@code true} in a container of a runtime. */
    @FunctionalInterface
    interface Trial {
        /** Waits for its end, and leaves nothing. */
        ExitResult run(Path runtime) throws DriverTrouble, InterruptedException;
    }

    /**
     * What was found.
     *
     * @param runtime the first that passed
     * @param failures in words, of those that did not, by name
     */
    record Outcome(Optional<Path> runtime, Map<String, String> failures) {
        /** Whether asking again may give another answer: what was found is not there any more. */
        boolean isStale() {
            return runtime.isEmpty() || !Files.isExecutable(runtime.get());
        }

        /** Why there is none. */
        String words() {
            return failures.isEmpty()
                    ? "neither runc nor crun is in the PATH; install one of them"
                    : "no OCI runtime works here: " + String.join("; ", failures.values());
        }
    }

    /** @param path the directories to look in */
    RuntimeProbe(List<Path> path, Trial trial) {
        this.path = List.copyOf(path);
        this.trial = trial;
    }

    Outcome look() throws InterruptedException {
        Map<String, String> failures = new LinkedHashMap<>();
        for (String name : NAMES) {
            Optional<Path> runtime = path.stream()
                    .map(directory -> directory.resolve(name))
                    .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                    .findFirst();
            if (runtime.isEmpty()) {
                continue;
            }
            try {
                ExitResult end = trial.run(runtime.get());
                if (end.isSuccess()) {
                    return new Outcome(runtime, failures);
                }
                failures.put(name, name + " ran 'true', which ended with " + end);
            } catch (DriverTrouble trouble) {
                failures.put(name, name + ": " + trouble.reason());
            }
        }
        return new Outcome(Optional.empty(), failures);
    }
}
