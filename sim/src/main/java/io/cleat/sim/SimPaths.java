package io.cleat.sim;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.FileWrites;
import io.cleat.kernel.IdSwap;
import io.cleat.kernel.Mount;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Path calls of one agent on its machine: real directories, mounts in memory, and misfortune. */
final class SimPaths implements Paths {
    private final SimMounts mounts;
    private final Time time;
    private final Chaos chaos;

    SimPaths(SimMounts mounts, Time time, Chaos chaos) {
        this.mounts = mounts;
        this.time = time;
        this.chaos = chaos;
    }

    /** What a call does. */
    private interface Deed<T> {
        T run() throws IOException, KernelTrouble;
    }

    /** Now and then slow; seldom it hangs to its deadline, with its effect or without. */
    private <T> T call(String what, Place place, Deadline deadline, Deed<T> deed)
            throws KernelTrouble, InterruptedException {
        if (chaos.strikes(3)) {
            boolean happens = chaos.below(2) == 0;
            if (happens) {
                done(what, place, deed);
            }
            time.sleep(deadline.left());
            throw new KernelTrouble(
                    what + " " + place + " did not answer in time", Effect.UNKNOWN, Retry.AFTER_OBSERVING);
        }
        if (chaos.strikes(50)) {
            time.sleep(chaos.upTo(20));
        }
        return done(what, place, deed);
    }

    private static <T> T done(String what, Place place, Deed<T> deed) throws KernelTrouble {
        try {
            return deed.run();
        } catch (IOException refused) {
            throw new KernelTrouble(
                    what + " " + place + " failed: " + refused, Effect.NONE, Retry.AFTER_OBSERVING, refused);
        }
    }

    private KernelTrouble busy(String what, Place place) {
        return new KernelTrouble(what + " " + place + " failed: busy", Effect.NONE, Retry.SAME_CALL);
    }

    @Override
    public Optional<PathStat> stat(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("stat", place, deadline, () -> look(place.path()));
    }

    @Override
    public boolean isProgram(Path path, Deadline deadline) {
        throw new UnsupportedOperationException("no task of the simulation is a program");
    }

    private Optional<PathStat> look(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        Optional<Mount.Device> device = mounts.deviceAt(path);
        PathStat.Type type = device.isPresent()
                ? PathStat.Type.BLOCK
                : Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? PathStat.Type.DIRECTORY : PathStat.Type.FILE;
        return Optional.of(new PathStat(
                type,
                0700,
                0,
                0,
                0,
                new Mount.Device(8, 1),
                device.orElse(new Mount.Device(0, 0)),
                1,
                mounts.isMounted(path) ? PathStat.MountRoot.YES : PathStat.MountRoot.NO));
    }

    @Override
    public Names list(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("list", directory, deadline, () -> {
            try (Stream<Path> found = Files.list(directory.path())) {
                return new Names(
                        found.map(path -> String.valueOf(path.getFileName()))
                                .sorted()
                                .toList(),
                        false);
            }
        });
    }

    @Override
    public boolean makeDirectory(Place place, int mode, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("mkdir", place, deadline, () -> {
            try {
                Files.createDirectory(place.path());
                return true;
            } catch (FileAlreadyExistsException there) {
                if (Files.isDirectory(place.path(), LinkOption.NOFOLLOW_LINKS)) {
                    return false;
                }
                throw there;
            }
        });
    }

    @Override
    public Optional<Place> makeDirectories(Place place, int mode, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return call("mkdirs", place, deadline, () -> {
            Files.createDirectories(place.path());
            return Optional.empty();
        });
    }

    @Override
    public boolean makeFile(Place place, int mode, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("mkfile", place, deadline, () -> {
            try {
                Files.createFile(place.path());
                return true;
            } catch (FileAlreadyExistsException there) {
                if (Files.isRegularFile(place.path(), LinkOption.NOFOLLOW_LINKS)) {
                    return false;
                }
                throw there;
            }
        });
    }

    /** No task here has a user. */
    @Override
    public Whose adopt(Place directory, long uid, long gid, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return call("adopt", directory, deadline, () -> new Whose(false, 0755, 0, 0));
    }

    /** No volume here is to be anybody's. */
    @Override
    public Whose settle(
            Place directory, @Nullable Long uid, @Nullable Long gid, @Nullable Integer mode, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return call("settle", directory, deadline, () -> new Whose(false, 0755, 0, 0));
    }

    /** As of a file system that does not have it. */
    @Override
    public boolean seal(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("seal", directory, deadline, () -> false);
    }

    @Override
    public void unseal(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        call("unseal", directory, deadline, () -> false);
    }

    @Override
    public boolean removeDirectory(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("rmdir", place, deadline, () -> {
            if (mounts.isMounted(place.path())) {
                throw busy("rmdir", place);
            }
            try {
                Files.delete(place.path());
                return true;
            } catch (NoSuchFileException | NotDirectoryException gone) {
                return false;
            } catch (DirectoryNotEmptyException full) {
                throw new IOException("directory not empty", full);
            }
        });
    }

    @Override
    public boolean removeFile(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("unlink", place, deadline, () -> {
            if (mounts.isMounted(place.path())) {
                throw busy("unlink", place);
            }
            return Files.deleteIfExists(place.path());
        });
    }

    @Override
    public void bind(Place source, Place target, boolean readOnly, Mounts.Spread spread, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        call("bind", target, deadline, () -> {
            mounts.bind(source.path(), target.path(), readOnly);
            return true;
        });
    }

    @Override
    public void show(Place source, Place target, Showing how, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        bind(source, target, how.readOnly(), how.spread(), deadline);
    }

    @Override
    public Optional<String> swapFault(Place directory, IdSwap ids, Deadline deadline) {
        throw new UnsupportedOperationException("no task of the simulation has a user");
    }

    @Override
    public boolean hide(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return unmount(place, deadline);
    }

    @Override
    public void mountMemory(Place place, long bytes, FileWrites.Owner owner, Deadline deadline) {
        throw new UnsupportedOperationException("no task of the simulation is isolated");
    }

    @Override
    public void give(Place directory, FileWrites.Owner owner, NavigableSet<Long> users, Deadline deadline) {
        throw new UnsupportedOperationException("no task of the simulation has a user");
    }

    @Override
    public boolean answers(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("statfs", place, deadline, () -> !mounts.isDead(place.path()));
    }

    @Override
    public boolean detach(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return unmount(place, deadline);
    }

    @Override
    public boolean unmount(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("unmount", place, deadline, () -> mounts.unmount(place.path()));
    }

    @Override
    public boolean makePrivate(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("private", place, deadline, () -> mounts.isMounted(place.path()));
    }

    @Override
    public boolean tear(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call("tear", place, deadline, () -> {
            while (mounts.unmount(place.path())) {
                // The next one of the stack.
            }
            return Files.deleteIfExists(place.path());
        });
    }
}
