package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The port for calls on paths that may hang. None is made in this process, none follows a link below a place's root,
 * none removes more than one entry.
 *
 * <p>A call that has not answered at its deadline throws with unknown effect: it may still happen. Every other failure
 * says what is known, and names the place and the kernel's reason.
 */
public interface Paths {
    /**
     * What is at the place; empty if nothing is. Asks nobody behind a mount: of one whose server is gone it says what
     * the kernel remembers.
     */
    Optional<PathStat> stat(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Whether a program is there that somebody may execute. Links are followed, wherever they lead: it is looked at
     * only, and whoever executes it does so as the task's user.
     */
    boolean isProgram(Path path, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Asks who is behind the place, such as the process that holds a FUSE mount.
     *
     * @return whether it answers; false if it surely is gone
     * @throws KernelTrouble if that is not known; a place that hangs does so to the deadline
     */
    boolean answers(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Names of a directory.
     *
     * @param sorted at most 1 MiB of them
     * @param hasMore whether the directory holds others than these
     */
    record Names(List<String> sorted, boolean hasMore) {
        public Names {
            sorted = List.copyOf(sorted);
        }
    }

    /** The names in a directory, as far as they are 1 MiB. */
    Names list(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Makes one directory; what lies above it must be there.
     *
     * @param mode permission bits, such as 0700 in octal
     * @return false if it was there already, with whatever mode and owner
     * @throws KernelTrouble with no effect if a link or a file is there
     */
    boolean makeDirectory(Place place, int mode, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Makes a directory and those between the root and it, where they are absent.
     *
     * @param mode permission bits, such as 0700 in octal
     * @return the first that is there already and is no directory of the root's owner, with nothing made below it;
     *     empty if all are there. Something mounted counts as the owner's
     */
    Optional<Place> makeDirectories(Place place, int mode, Deadline deadline)
            throws KernelTrouble, InterruptedException;

    /**
     * Says whose a directory is, and who may do all in it beside its owner, whatever its group may. No mount lies on
     * the way to it.
     *
     * @param users user ids; empty if nobody else may
     * @throws KernelTrouble with unknown effect; also if the file system keeps no lists of users
     */
    void give(Place directory, FileWrites.Owner owner, NavigableSet<Long> users, Deadline deadline)
            throws KernelTrouble, InterruptedException;

    /**
     * Whose a directory is.
     *
     * @param given whether it is that since it was asked
     * @param mode permission bits
     */
    record Whose(boolean given, int mode, long uid, long gid) {
        private static final int WRITE_AND_PASS = 3;

        /** Whether a user of these groups, and not root, may make files in it. */
        public boolean letsWrite(long user, Collection<Long> groups) {
            int bits = uid == user ? mode >> 6 : groups.contains(gid) ? mode >> 3 : mode;
            return (bits & WRITE_AND_PASS) == WRITE_AND_PASS;
        }
    }

    /**
     * Gives a directory that is root's, and has nothing in it but {@code lost+found}, to a user and a group. Any other
     * stays whose it is, and so does one that its file system gives to nobody.
     */
    Whose adopt(Place directory, long uid, long gid, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Gives a directory to whom it is to be, unless the same was said last: what was said is kept with the directory,
     * where its file system can, and whoever has it may have changed it since. Where nothing can be kept, a directory
     * is given that {@link #adopt} would give.
     *
     * @param uid null for whose it is
     * @param gid null for the group that it is of
     * @param mode permission bits; null for those that it has
     */
    Whose settle(Place directory, @Nullable Long uid, @Nullable Long gid, @Nullable Integer mode, Deadline deadline)
            throws KernelTrouble, InterruptedException;

    /**
     * Makes one empty file, to bind a device onto; what lies above it must be there.
     *
     * @param mode permission bits, such as 0600 in octal
     * @return false if a file or a block device was there already, with whatever mode and content
     * @throws KernelTrouble with no effect if a link or a directory is there
     */
    boolean makeFile(Place place, int mode, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Lets nobody, root neither, make or remove anything in a directory that is only to be mounted on, should its mount
     * be gone. The directory itself is meant, whatever is mounted on it; what is mounted is not changed.
     *
     * @return false if it cannot: not every file system and kernel has that, nor may every user
     */
    boolean seal(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException;

    /** Undoes {@link #seal}; of one that is not sealed nothing changes. */
    void unseal(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Removes an empty directory, also one that is sealed.
     *
     * @return false if nothing was there
     * @throws KernelTrouble with no effect if it is not empty, is a mount, a link or a file
     */
    boolean removeDirectory(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Removes a link, file or socket; what a link points to stays.
     *
     * @return false if nothing was there
     * @throws KernelTrouble with no effect if it is a directory or a mount
     */
    boolean removeFile(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Makes {@code source} seen at {@code target} too, without mounts below it: a directory at a directory, anything
     * else at a file. A target that has a mount gets another on top: look first.
     *
     * <p>In a directory, as it is seen there, no program takes another user and no device counts, whatever the source
     * lets them.
     *
     * @throws KernelTrouble with no effect also when it could not be made read-only
     */
    void bind(Place source, Place target, boolean readOnly, Mounts.Spread spread, Deadline deadline)
            throws KernelTrouble, InterruptedException;

    /**
     * How a volume is shown.
     *
     * @param device whether it is a block device; else it is a directory
     * @param spread {@link Mounts.Spread#SHARED} makes what is mounted at the source shared too
     * @param deep with what is mounted below a directory, where the kernel can give that the same options
     * @param ids whose a directory's files are there; empty for whose they are
     */
    record Showing(boolean device, boolean readOnly, Mounts.Spread spread, boolean deep, Optional<IdSwap> ids) {
        /** With each file whose it is. */
        public Showing(boolean device, boolean readOnly, Mounts.Spread spread, boolean deep) {
            this(device, readOnly, spread, deep, Optional.empty());
        }
    }

    /**
     * As {@link #bind}, of what another may change at any time: it is opened once, and what was looked at is what is
     * shown. Without setuid bits, and a directory without devices.
     *
     * @throws KernelTrouble with no effect also if it is of another kind
     */
    void show(Place source, Place target, Showing how, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Why a directory, with all that is mounted below it, cannot be shown with other ids: its file system, its mount or
     * the kernel does not let it.
     *
     * @return in words; empty if it can
     */
    Optional<String> swapFault(Place directory, IdSwap ids, Deadline deadline)
            throws KernelTrouble, InterruptedException;

    /**
     * Ends what {@link #show} began, in use or not, with all that is mounted below; where else that is seen it stays.
     *
     * @return false if nothing was mounted there
     */
    boolean hide(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Mounts an empty file system that is only in memory at a directory; nothing in it can be executed or is a device.
     * A target that has a mount gets another on top: look first.
     *
     * @param bytes how large it may grow
     * @param owner whose its directory is
     */
    void mountMemory(Place place, long bytes, FileWrites.Owner owner, Deadline deadline)
            throws KernelTrouble, InterruptedException;

    /**
     * Takes the topmost mount at the place away.
     *
     * @return false if nothing was mounted there
     * @throws KernelTrouble with no effect while it is in use
     */
    boolean unmount(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;

    /** As {@link #unmount}, also while it is in use: nobody sees it any more who has not opened something in it. */
    boolean detach(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * What is mounted at the place neither passes on nor takes over what is mounted in it from now on; what is mounted
     * below it is not changed.
     *
     * @return false if nothing is mounted there
     */
    boolean makePrivate(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;

    /**
     * Removes an empty directory, or a file, with all mounts that lie on it, in every mount namespace: at once, however
     * many they are.
     *
     * @return false if nothing was there
     * @throws KernelTrouble with no effect if there is something in the directory itself
     */
    boolean tear(Place place, Deadline deadline) throws KernelTrouble, InterruptedException;
}
