package io.cleat.agent.volumes;

import io.cleat.agent.volumes.JournalPoint.Deed;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.csi.CsiTrouble;
import io.cleat.kernel.Mount;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The way forward of one use: enrolled, directories, stage, publish, and a look after each.
 *
 * <p>Each method may be called again after any of its ends and goes on from what the journal says. Called with the
 * volume's turn.
 */
final class Mounting {
    private final VolumeParts parts;
    private final Directories directories;
    private final PluginCalls calls;
    private final VisibleMounts mounts;
    private final Targets targets;
    private final Unmounting unmounting;
    private final Enrolling enrolling;
    private final DeadStaging deadStaging;
    private final SurplusMounts surplus;
    private final StagingSeals seals;
    private final Owners owners;

    Mounting(VolumeParts parts, Unmounting unmounting) {
        this.parts = parts;
        this.directories = new Directories(parts);
        this.calls = new PluginCalls(parts);
        this.mounts = new VisibleMounts(parts.mounts());
        this.targets = new Targets(parts);
        this.unmounting = unmounting;
        this.enrolling = new Enrolling(parts);
        this.deadStaging = new DeadStaging(parts, unmounting);
        this.surplus = new SurplusMounts(parts);
        this.seals = new StagingSeals(parts);
        this.owners = new Owners(parts, calls);
    }

    /** The publication, if it is there already. */
    Optional<Publication> already(GrantedClaim claim) throws StepBlocked, InterruptedException {
        VolumeRecord record = parts.journal().volume(VolumeKey.of(claim));
        Optional<Use> use = record.use(claim.allocId(), claim.alias());
        if (use.isEmpty() || use.get().phase() != Use.Phase.PUBLISHED || !isThere(use.get(), claim)) {
            return Optional.empty();
        }
        Use granted = use.get().granted(claim.epoch());
        if (!granted.equals(use.get())) {
            unmounting.keep(record.with(granted));
        }
        return Optional.of(granted.publication());
    }

    /**
     * Goes forward until it is published.
     *
     * @throws StepBlocked if it must wait, or if an effect is unknown: the same again
     * @throws Trouble if it was surely refused
     */
    Publication publish(GrantedClaim claim) throws StepBlocked, Trouble, InterruptedException {
        VolumeKey key = VolumeKey.of(claim);
        undoWhatIsOver(claim, key);
        deadStaging.undo(claim, key);
        NodePlugin plugin = parts.plugin("mount", claim.pluginId());
        enrolling.requireSameNode(claim, plugin);
        enrolling.begin(claim, plugin, key);
        makeDirectories(key, own(claim, key));
        requireRoomForTarget(key, own(claim, key));
        stage(claim, plugin, key);
        return publish(claim, plugin, key);
    }

    /**
     * An end that was begun is ended before anything begins anew. So is a publication of what is no volume, as an
     * earlier agent believed it: asked to publish, a plugin may answer that it has.
     */
    private void undoWhatIsOver(GrantedClaim claim, VolumeKey key) throws StepBlocked, InterruptedException {
        VolumeRecord record = parts.journal().volume(key);
        Optional<Use> own = record.use(claim.allocId(), claim.alias());
        if (own.isPresent() && (!own.get().isWanted() || isNoVolume(key, own.get()))) {
            unmounting.unpublish(key, claim.allocId(), claim.alias());
        }
        Staging staging = parts.journal().volume(key).staging();
        if (staging != null && staging.isOver()) {
            unmounting.unstage(key);
        }
    }

    private boolean isNoVolume(VolumeKey key, Use use) throws StepBlocked, InterruptedException {
        return use.phase() == Use.Phase.PUBLISHED
                && seen(() -> targets.noVolume(key, use)).isPresent();
    }

    private void makeDirectories(VolumeKey key, Use use) throws StepBlocked, KernelTrouble, InterruptedException {
        Staging staging = parts.journal().volume(key).staging();
        try {
            parts.doing(Deed.DIRECTORIES, () -> {
                if (staging != null) {
                    directories.make(key.pluginId(), staging.host());
                }
                directories.make(
                        key.pluginId(), Objects.requireNonNull(use.host().getParent()));
            });
        } catch (KernelTrouble trouble) {
            throw refusedOrAgain("make directories", trouble);
        }
    }

    /** Before anything is sent, so that a refusal leaves nothing to be undone by the plugin. */
    private void requireRoomForTarget(VolumeKey key, Use use) throws StepBlocked, KernelTrouble, InterruptedException {
        boolean sent = use.phase() != Use.Phase.PREPARING;
        if (!sent && !unmounting.isShared(parts.journal().volume(key), use)) {
            Optional<String> inTheWay = seen(() -> targets.inTheWay(key.pluginId(), use));
            if (inTheWay.isPresent()) {
                throw notTouched(inTheWay.get());
            }
            requireOurs(key, use);
        }
    }

    private void stage(GrantedClaim claim, NodePlugin plugin, VolumeKey key)
            throws StepBlocked, Trouble, InterruptedException {
        VolumeRecord record = parts.journal().volume(key);
        Staging staging = record.staging();
        String boot = parts.boot().value();
        if (staging == null || isStaged(staging)) {
            return;
        }
        if (staging.phase() == Staging.Phase.PREPARING) {
            requireFree(staging.host());
        }
        requireOurs("stage", key, staging.host());
        seals.undo("stage", key, staging);
        Staging sent = staging.at(Staging.Phase.STAGING).inBoot(boot);
        if (!sent.equals(staging)) {
            unmounting.keep(record.with(sent));
        }
        try {
            surplus.stage(plugin, claim, sent);
        } catch (CsiTrouble trouble) {
            throw refusedOrAgain("stage", trouble);
        }
        calls.requireTrue(claim, "NodeStageVolume", seen(() -> targets.noDirectory(key.pluginId(), sent.host())));
        Optional<Mount> mount = seen(() -> mounts.at(sent.host()));
        // A plugin that keeps in mind that it has staged may answer OK where nothing is left.
        calls.requireTrue(
                claim,
                "NodeStageVolume",
                mount.isEmpty() && staging.mounted() != null
                        ? Optional.of("nothing is mounted at "
                                + staging.hostPath()
                                + ", where it had mounted "
                                + staging.mounted())
                        : Optional.empty());
        surplus.close(claim, sent);
        // One write for both: that it is staged, and that it is published next.
        unmounting.keep(record.with(sent.staged(mount))
                .with(own(claim, key).at(Use.Phase.PUBLISHING).granted(claim.epoch())));
        parts.plugins().stir();
        if (mount.isPresent()) {
            seals.make(plugin, key, sent, mount.get());
        }
    }

    /**
     * Whether it was staged in this boot, and nobody has unmounted it since, as with a container that is started again.
     * A plugin that mounts nothing where it stages is asked once more, and answers that it is staged (CSI,
     * NodeStageVolume).
     */
    private boolean isStaged(Staging staging) throws StepBlocked, InterruptedException {
        return staging.isStagedIn(parts.boot()) && seen(() -> mounts.isMounted(staging.host()));
    }

    private Publication publish(GrantedClaim claim, NodePlugin plugin, VolumeKey key)
            throws StepBlocked, Trouble, InterruptedException {
        VolumeRecord record = parts.journal().volume(key);
        Use use = own(claim, key);
        requireOurs(key, use);
        Use sent = use.at(Use.Phase.PUBLISHING).granted(claim.epoch());
        if (!sent.equals(use)) {
            unmounting.keep(record.with(sent));
        }
        Staging staging = record.staging();
        try {
            surplus.publish(plugin, claim, staging, sent);
        } catch (CsiTrouble trouble) {
            throw refusedOrAgain("publish", trouble);
        }
        calls.requireTrue(claim, "NodePublishVolume", seen(() -> targets.fault(key, sent)));
        requireMode(claim, sent);
        settle(claim, sent);
        Use done = sent.at(Use.Phase.PUBLISHED);
        unmounting.keep(record.with(done));
        return done.publication();
    }

    private void settle(GrantedClaim claim, Use use) throws StepBlocked, KernelTrouble, InterruptedException {
        try {
            owners.settle(claim, use);
        } catch (KernelTrouble trouble) {
            throw refusedOrAgain("give the volume to its owner", trouble);
        }
    }

    /**
     * Looks whether writing is possible as it was asked for: a plugin that mounts a reader's volume for writing has
     * made it a writer that nobody counts.
     */
    private void requireMode(GrantedClaim claim, Use use) throws StepBlocked, PluginTrouble, InterruptedException {
        boolean readOnly = seen(() -> targets.isReadOnly(claim.pluginId(), use));
        boolean mayBe = use.readOnly()
                || !use.modes().access().allowsWriting()
                || (!use.isDevice() && claim.mountOptions().flags().contains("ro"));
        if (use.readOnly() == readOnly || (readOnly && mayBe)) {
            return;
        }
        String lie = "plugin \""
                + claim.pluginId()
                + "\" was asked to publish "
                + (use.readOnly() ? "read-only" : "for writing")
                + " and "
                + (use.isDevice() ? "made the device at " : "mounted ")
                + use.hostPath()
                + (readOnly ? " read-only" : " for writing");
        calls.note(claim.volume(), "NodePublishVolume", lie);
        throw new PluginTrouble(
                lie + ". It was unpublished again; look at the plugin's logs", Effect.NONE, Retry.NEVER);
    }

    private Use own(GrantedClaim claim, VolumeKey key) {
        return Objects.requireNonNull(
                parts.journal().volume(key).use(claim.allocId(), claim.alias()).orElse(null));
    }

    /** What is mounted where we never sent a plugin is somebody else's. */
    private void requireFree(Path path) throws StepBlocked, KernelTrouble, InterruptedException {
        Optional<Mount> found = seen(() -> mounts.at(path));
        if (found.isPresent()) {
            throw notTouched("something that this agent did not mount is mounted at "
                    + path
                    + ": "
                    + found.get().source()
                    + " ("
                    + found.get().fsType()
                    + ")");
        }
    }

    private static KernelTrouble notTouched(String what) {
        return new KernelTrouble(
                what + ". It was not touched: look at it, and take it away by hand", Effect.NONE, Retry.NEVER);
    }

    private void requireOurs(String step, VolumeKey key, Path path)
            throws StepBlocked, KernelTrouble, InterruptedException {
        try {
            directories.requireOurs(key.pluginId(), path);
        } catch (KernelTrouble trouble) {
            throw refusedOrAgain(step, trouble);
        }
    }

    private void requireOurs(VolumeKey key, Use use) throws StepBlocked, KernelTrouble, InterruptedException {
        try {
            directories.requireOurs(key.pluginId(), use);
        } catch (KernelTrouble trouble) {
            throw refusedOrAgain("publish", trouble);
        }
    }

    private boolean isThere(Use use, GrantedClaim claim) throws StepBlocked, InterruptedException {
        return seen(() -> targets.isThere(VolumeKey.of(claim), use));
    }

    /** A look that may fail. */
    private interface Look<T> {
        T at() throws KernelTrouble, InterruptedException;
    }

    private static <T> T seen(Look<T> look) throws StepBlocked, InterruptedException {
        try {
            return look.at();
        } catch (KernelTrouble unread) {
            throw StepBlocked.unread("look", unread);
        }
    }

    private static KernelTrouble refusedOrAgain(String step, KernelTrouble trouble) throws StepBlocked {
        if (Directories.isRefusal(trouble)) {
            return trouble;
        }
        throw StepBlocked.again(step, trouble.reason(), "it is tried again");
    }

    private static CsiTrouble refusedOrAgain(String step, CsiTrouble trouble) throws StepBlocked {
        if (PluginCalls.isRefusal(trouble)) {
            return trouble;
        }
        throw StepBlocked.after(step, trouble);
    }
}
