package io.cleat.agent.task;

import io.cleat.base.Trouble;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.IdSwap;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.Paths;
import io.cleat.model.AttachmentMode;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeRequest;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;

/**
 * Mounts in what tasks see: shows volumes inside the directory of a task whose driver does not isolate files. A path
 * there is under the workload's control: links in it are not followed.
 */
public interface VolumeBinds {
    /**
     * Where a volume is seen.
     *
     * @param isNew whether it was not seen there before
     */
    record Bound(Path path, boolean isNew) {}

    /**
     * A volume that was published.
     *
     * @param path where its plugin published it, and may change what is there
     * @param device whether it is a block device; else it is a directory
     * @param ofHost whether it is a directory of the machine, which no plugin has published: its owner, and what is
     *     mounted in it, are its operator's to say
     */
    record Published(Path path, boolean device, boolean ofHost) {
        /** One that a plugin has published. */
        public Published(Path path, boolean device) {
            this(path, device, false);
        }

        /** The one that a group has under a name. */
        public static Published of(TaskGroup group, String alias, Path path) {
            VolumeRequest request = group.volumes().get(alias);
            return new Published(
                    path,
                    request != null && request.modes().attachment() == AttachmentMode.BLOCK_DEVICE,
                    request != null && request.isForHost());
        }
    }

    /**
     * Whether a volume that a plugin published is still mounted where its plugin published it. What is written into the
     * directory below one that is gone is lost.
     */
    boolean isThere(Published volume) throws Trouble;

    /**
     * Takes hold of a published volume for a task whose driver isolates files: binds it into a directory of the agent's
     * own, where nobody changes what it is. Done already is fine.
     *
     * @param number of the mount among those of the task
     * @param spread as the task asks for it
     * @param ids whose a directory's files are there; empty for whose they are
     * @throws Trouble if its plugin has put something else in its place, a link for example
     */
    void hold(Published volume, Path taskDir, int number, Mounts.Spread spread, Optional<IdSwap> ids)
            throws Trouble, InterruptedException;

    /**
     * Why a published directory cannot be held with other ids.
     *
     * @return in words; empty if it can
     */
    Optional<String> swapFault(Published volume, IdSwap ids) throws Trouble, InterruptedException;

    /**
     * Whether {@link #hold} has something else than what is published now, such as a mount that was lost and has been
     * made anew since; false if it has nothing.
     */
    boolean holdsOther(Published volume, Path taskDir, int number) throws Trouble;

    /** Where {@link #hold} has a volume, if it does. */
    Path held(Path taskDir, int number);

    /**
     * Gives the directory that {@link #hold} has to a user, if it is a fresh one of root's; see {@link Paths#adopt}.
     * Ids are as the task sees them.
     */
    Paths.Whose adopt(Published volume, Path taskDir, int number, long uid, long gid)
            throws Trouble, InterruptedException;

    /** Lets go of all that is held for a task, which has ended. */
    void release(Path taskDir) throws Trouble, InterruptedException;

    /**
     * Binds a published volume to {@code destination} below {@code taskDir}; done already is fine. Another mount that
     * is bound there, such as the volume's own that is dead since its plugin ended, gives way though it is in use.
     */
    Bound bind(Published volume, Path taskDir, String destination, boolean readOnly)
            throws Trouble, InterruptedException;

    /** Takes away what {@link #bind} has bound there, if something is. */
    void unbind(Path taskDir, String destination) throws Trouble, InterruptedException;

    /**
     * Whether {@link #bind} has bound something else there than what is published now; false if nothing is bound there.
     */
    boolean bindsOther(Published volume, Path taskDir, String destination) throws Trouble;

    /** On what of a directory, and on what below it, something is mounted. Asks none of them. */
    Set<Path> mounted(Path directory) throws Trouble;

    /**
     * Makes a directory of a task one whose files are never on a disk: small, nothing in it can be executed. Done
     * already is fine.
     *
     * @param owner whose it is
     */
    void keepInMemory(Path directory, Owner owner) throws Trouble, InterruptedException;

    /**
     * Has no program in an allocation's directory take another user, and no device count there, also on the host. Done
     * already is fine; so is one in which something is mounted, as an earlier version left it. {@link #unbindAll}
     * undoes it.
     */
    void shield(Path allocation) throws Trouble, InterruptedException;

    /**
     * Lets users write in a directory that the tasks of an allocation share, before any of them runs; nobody else comes
     * into it but the agent's user.
     *
     * @param users user ids; empty if all tasks run as the agent's
     */
    void share(Path directory, NavigableSet<Long> users) throws Trouble, InterruptedException;

    /** Takes away what tasks have mounted inside a published volume and left; the volume itself stays. */
    void unmountInside(Path published) throws Trouble, InterruptedException;

    /** Undoes every bind and hold below {@code directory}, an allocation's. */
    void unbindAll(Path directory) throws Trouble, InterruptedException;
}
