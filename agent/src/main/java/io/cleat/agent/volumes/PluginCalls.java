package io.cleat.agent.volumes;

import io.cleat.agent.volumes.JournalPoint.Deed;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.csi.AccessMode;
import io.cleat.csi.AccessType;
import io.cleat.csi.CapacityRange;
import io.cleat.csi.CsiPluginEnded;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.MountFlags;
import io.cleat.csi.NodeExpansion;
import io.cleat.csi.NodePublication;
import io.cleat.csi.NodeStaging;
import io.cleat.csi.PublishContext;
import io.cleat.csi.Removal;
import io.cleat.csi.VolumeUse;
import io.cleat.model.AttachmentMode;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.time.Duration;
import java.util.Optional;

/** The node calls for a volume, each between its points, each told as an event of the volume. */
final class PluginCalls {
    private final VolumeParts parts;

    PluginCalls(VolumeParts parts) {
        this.parts = parts;
    }

    /** A call to a plugin. */
    private interface Call<T> {
        T make() throws CsiTrouble, InterruptedException;
    }

    /** Whether the plugin surely did nothing and will not do it when asked again. */
    static boolean isRefusal(CsiTrouble trouble) {
        return trouble.effect() == Effect.NONE && trouble.retry() instanceof Retry.Never;
    }

    void stage(NodePlugin plugin, GrantedClaim claim, Staging staging) throws CsiTrouble, InterruptedException {
        NodeStaging request = new NodeStaging(
                claim.externalId(),
                PublishContext.of(claim.publishContext().reveal()),
                staging.pluginPath(),
                // Not the claim's modes: whoever stages, it is the same call.
                use(plugin, claim, staging.modes()),
                claim.secrets(),
                claim.context());
        parts.doing(
                Deed.STAGE,
                () -> told(claim.pluginId(), "NodeStageVolume", claim.volume(), () -> {
                    plugin.client().stage(request, parts.forPlugin());
                    return Removal.DONE;
                }));
    }

    void publish(NodePlugin plugin, GrantedClaim claim, String stagingPath, Use use)
            throws CsiTrouble, InterruptedException {
        NodePublication request = new NodePublication(
                claim.externalId(),
                PublishContext.of(claim.publishContext().reveal()),
                stagingPath,
                use.pluginPath(),
                use(plugin, claim, use.modes()),
                use.readOnly(),
                claim.secrets(),
                claim.context());
        parts.doing(
                Deed.PUBLISH,
                () -> told(claim.pluginId(), "NodePublishVolume", claim.volume(), () -> {
                    plugin.client().publish(request, parts.forPlugin());
                    return Removal.DONE;
                }));
    }

    /** Between no points: it may be done again, and is written down only after. */
    void expand(NodePlugin plugin, GrantedClaim claim, String stagingPath, Use use, long bytes)
            throws CsiTrouble, InterruptedException {
        NodeExpansion request = new NodeExpansion(
                claim.externalId(),
                use.pluginPath(),
                stagingPath,
                new CapacityRange(bytes, 0),
                Optional.of(use(plugin, claim, use.modes())),
                claim.secrets());
        told(claim.pluginId(), "NodeExpandVolume", claim.volume(), () -> {
            plugin.client().expand(request, parts.forPlugin());
            return Removal.DONE;
        });
    }

    Removal unpublish(NodePlugin plugin, VolumeKey key, Use use) throws CsiTrouble, InterruptedException {
        Removal[] answer = {Removal.DONE};
        parts.doing(
                Deed.UNPUBLISH,
                () -> answer[0] = told(
                        key.pluginId(),
                        "NodeUnpublishVolume",
                        use.volume(),
                        () -> plugin.client().unpublish(key.externalId(), use.pluginPath(), parts.forPlugin())));
        return answer[0];
    }

    Removal unstage(NodePlugin plugin, VolumeKey key, Staging staging) throws CsiTrouble, InterruptedException {
        Removal[] answer = {Removal.DONE};
        parts.doing(
                Deed.UNSTAGE,
                () -> answer[0] = told(
                        key.pluginId(),
                        "NodeUnstageVolume",
                        staging.volume(),
                        () -> plugin.client().unstage(key.externalId(), staging.pluginPath(), parts.forPlugin())));
        return answer[0];
    }

    /**
     * Whether an OK was true.
     *
     * @param fault why not
     * @throws StepBlocked if it was not, which is the plugin's fault, and told as that
     */
    void requireTrue(GrantedClaim claim, String call, Optional<String> fault) throws StepBlocked {
        if (fault.isPresent()) {
            String lie = "plugin \"" + claim.pluginId() + "\" answered OK to " + call + ", and " + fault.get();
            note(claim.volume(), call, lie);
            throw StepBlocked.again(
                    switch (call) {
                        case "NodeStageVolume" -> "stage";
                        case "NodeExpandVolume" -> "expand";
                        default -> "publish";
                    },
                    lie,
                    "it is asked again; look at the plugin's logs");
        }
    }

    /** Says what was seen after a call, where that is not what it should be. */
    void note(VolumeId volume, String call, String what) {
        tell(volume, call, "OK", Duration.ZERO, what);
    }

    private static VolumeUse use(NodePlugin plugin, GrantedClaim claim, VolumeModes modes) {
        // CSI names the modes as the model does; each stands for the same.
        AccessMode mode = AccessMode.valueOf(modes.access().name());
        // A device has no file system here, so what the volume says of one is not for it.
        AccessType type = modes.attachment() == AttachmentMode.BLOCK_DEVICE
                ? AccessType.BLOCK
                : new AccessType.Mount(
                        claim.mountOptions().fsType(),
                        MountFlags.of(claim.mountOptions().flags()),
                        plugin.mountsForGroup() ? claim.mountOptions().mountGroup() : "");
        return new VolumeUse(type, mode);
    }

    private <T> T told(String pluginId, String name, VolumeId volume, Call<T> call)
            throws CsiTrouble, InterruptedException {
        long start = parts.time().nanos();
        String code = "Canceled";
        String words = "the agent stopped waiting; whether it took effect is unknown";
        boolean isNews = true;
        try (CallsUnderWay.Open _ = parts.calls().begin(pluginId, volume, name)) {
            T answer = call.make();
            code = answer == Removal.NOT_FOUND ? "NotFound" : "OK";
            words = "";
            return answer;
        } catch (CsiTrouble trouble) {
            code = trouble.code().text();
            words = trouble.reason();
            isNews = !(trouble instanceof CsiPluginEnded ended) || ended.isNews();
            throw trouble;
        } finally {
            if (isNews) {
                tell(volume, name, code, Duration.ofNanos(parts.time().nanos() - start), words);
            }
        }
    }

    private void tell(VolumeId volume, String call, String code, Duration took, String words) {
        parts.news().volumeEvent(volume, new VolumeEvent(parts.time().now(), parts.nodeId(), call, code, took, words));
    }
}
