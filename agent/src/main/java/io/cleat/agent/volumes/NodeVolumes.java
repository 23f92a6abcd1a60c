package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What allocations ask of the node's volumes. Blocking; interruptible, with an unknown effect. */
public interface NodeVolumes {
    /** Is told how a mount or unmount goes on, on the thread that does it. */
    @FunctionalInterface
    interface Progress {
        /** @param waitingFor empty while a step is being done */
        void at(VolumePhase phase, Optional<BlockedBy> waitingFor);
    }

    /**
     * Stages and publishes, or finds both done. An answer that leaves the effect unknown is tried again with the same
     * arguments, with back-off, until {@link VolumeParts.Limits#mounting} is over or the thread is interrupted; the
     * plugin is waited for while it is not there.
     *
     * @throws Trouble if the plugin surely refused: nothing is published, and what was staged for this claim alone is
     *     undone or owed in the journal; or with an unknown effect if it was given up: then {@link #unpublish} is owed
     */
    Publication publish(GrantedClaim claim, Progress progress) throws Trouble, InterruptedException;

    /**
     * Publishes anew what is dead: what its plugin held and lost is undone first, of this use and of the others that
     * share its staging. As {@link #publish} in all else; does nothing to a live one.
     */
    Publication remount(GrantedClaim claim, Progress progress) throws Trouble, InterruptedException;

    /** What is wrong with the mount of a published use; empty if nothing is known to be. */
    Optional<BlockedBy> broken(String allocId, String alias);

    /**
     * Undoes whatever was begun for this allocation's use of the volume, and the staging if this was its last user.
     * Tries until it is done or the thread is interrupted; at once done if nothing was begun.
     */
    void unpublish(String allocId, String alias, Progress progress) throws InterruptedException;

    /**
     * Has the node's side of a published volume made as large as the provider's (NodeExpandVolume): once for a size,
     * for all of the volume's users on the node. Tries until it is done or the thread is interrupted.
     *
     * @return false if this claim has not published it
     */
    boolean expand(GrantedClaim claim, Expansion expansion, Progress progress) throws InterruptedException;

    /** The publication that journal and mount table agree on; asks no plugin. */
    Optional<Publication> published(String allocId, String alias);

    /** How far each volume of an allocation is by the journal, by alias: empty for an unknown allocation. */
    Map<String, VolumePhase> phases(String allocId);

    /**
     * The mounts for an allocation and of its volumes of which the journal does not know: it has lost its end, or is an
     * older one. Asks no plugin.
     *
     * @throws KernelTrouble if that cannot be seen
     */
    List<Path> unrecorded(String allocId, Collection<VolumeId> volumes) throws KernelTrouble;

    /** The epoch of the grant by which this use was begun; 0 if none was. */
    long epoch(String allocId, String alias);

    /**
     * An allocation is taken over whose tasks run: what nobody mounts for it, it has.
     *
     * @param volumes by alias
     */
    default void foundRunning(String allocId, Map<String, VolumeId> volumes) {}

    /** All of which something may be mounted or staged, by the journal; asks no plugin. */
    List<ToServer.Held> held();
}
