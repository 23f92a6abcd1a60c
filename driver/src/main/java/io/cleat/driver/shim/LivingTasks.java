package io.cleat.driver.shim;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.ShimRun;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which tasks of a driver live, by their shims' directories and their control groups: also those of which nothing else
 * is written down, and those of which one of the two is gone.
 *
 * <p>Used by any thread. Holds nothing.
 */
final class LivingTasks {
    private final Path directory;
    private final Cgroups cgroups;
    private final Function<String, ShimRun> runs;

    /** @param runs the run of a task by its name */
    LivingTasks(Path directory, Cgroups cgroups, Function<String, ShimRun> runs) {
        this.directory = directory;
        this.cgroups = cgroups;
        this.runs = runs;
    }

    /**
     * The names that begin so, of tasks that live.
     *
     * @throws KernelTrouble if that of one cannot be seen
     */
    Set<String> names(String beginning) throws DriverTrouble, KernelTrouble {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(directory)) {
            each.forEach(path -> names.add(path.getFileName().toString()));
        } catch (NoSuchFileException none) {
            // Nothing was started yet; or all of it was taken away, and groups are left.
        } catch (IOException | DirectoryIteratorException failed) {
            throw new DriverTrouble(
                    "the tasks in " + directory + " could not be listed: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
        names.addAll(cgroups.names());
        Set<String> living = new TreeSet<>();
        for (String name : names) {
            if (name.startsWith(beginning) && name.indexOf('.') > 0 && lives(name)) {
                living.add(name);
            }
        }
        return living;
    }

    private boolean lives(String name) throws KernelTrouble {
        ShimRun run = runs.apply(name);
        return run.exit().isEmpty()
                && (run.isAlive() || !cgroups.group(name).processes().isEmpty());
    }
}
