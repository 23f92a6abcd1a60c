package io.cleat.agent.alloc;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.kernel.TextPath;
import io.cleat.model.NameRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of one allocation: {@code alloc/{logs,tmp,data}} shared by its tasks, and one directory per task beside
 * it.
 */
public record AllocationDirectory(Path root) {
    private static final String SHARED = "rwxr-xr-x";
    private static final int WRITTEN = 01770;

    public Path shared() {
        return root.resolve("alloc");
    }

    public Path logs() {
        return shared().resolve("logs");
    }

    /** What all tasks may write in, whoever they run as. */
    List<Path> written() {
        return List.of(shared().resolve("data"), shared().resolve("tmp"));
    }

    /** What tasks of these names and all of them together have written, but for their output. */
    List<Path> allButLogs(Collection<String> tasks) {
        return Stream.concat(tasks.stream().map(this::task), written().stream()).toList();
    }

    /** Of one allocation, below the directory of all of them. */
    static AllocationDirectory of(Path all, String allocId) {
        return new AllocationDirectory(TextPath.entry(all, allocId));
    }

    /**
     * The directory of a task. A name that is none, from before there was a rule, has one of its own too, which no
     * other task's is: it never is this directory, or lies outside of it.
     */
    public Path task(String task) {
        return NameRule.isPart(task) && TextPath.of(task).isPresent()
                ? root.resolve(task)
                : TextPath.entry(root, "task " + task);
    }

    /**
     * Makes what is not there. What the tasks share is the agent's: none of them puts a name in the place of
     * {@code logs}, which the shim writes.
     *
     * @param begun whether a task has run already; then nothing in what the tasks share is touched, which may be
     *     anything by now
     */
    void make(boolean begun) throws DiskTrouble {
        try {
            Files.createDirectories(root.getParent());
            directory(root, "rwx------");
            directory(shared(), SHARED);
            // Earlier versions let every task rename what is in it.
            Files.setPosixFilePermissions(shared(), PosixFilePermissions.fromString(SHARED));
            if (!begun) {
                directory(logs(), "rwxr-xr-x");
                for (Path written : written()) {
                    directory(written, "rwxrwx---");
                    Files.setAttribute(written, "unix:mode", WRITTEN, LinkOption.NOFOLLOW_LINKS);
                }
            }
        } catch (IOException e) {
            throw new DiskTrouble(
                    "making the allocation directory " + root + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    /** Once no task runs any more, lets no other user pass, whatever its tasks have left in it. */
    void close() throws DiskTrouble {
        try {
            if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
                Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
            }
        } catch (IOException e) {
            throw new DiskTrouble(
                    "closing the allocation directory " + root + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    private static void directory(Path path, String mode) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        }
    }
}
