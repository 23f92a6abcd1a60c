package io.cleat.bench;

import io.cleat.base.Secrets;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node says that does at once all that a server wants. For one thread. */
final class PlayedWork {
    private final Map<String, ToServer.AllocReport> said = new HashMap<>();

    /** What is new of an allocation; empty while it waits for its volumes, and if it is as it was. */
    Optional<ToServer.AllocReport> assigned(ToNode.Assignment one) {
        ToServer.AllocReport before = said.get(one.allocId());
        if (one.desired() == DesiredStatus.RUN) {
            boolean isGranted = one.volumes().values().stream().allMatch(volume -> volume.grant() != null);
            return before == null && isGranted
                    ? Optional.of(say(one, ClientStatus.RUNNING, VolumePhase.PUBLISHED))
                    : Optional.empty();
        }
        return before == null || before.status() == ClientStatus.RUNNING
                ? Optional.of(say(one, ClientStatus.COMPLETE, VolumePhase.UNPUBLISHED))
                : Optional.empty();
    }

    private ToServer.AllocReport say(ToNode.Assignment one, ClientStatus status, VolumePhase phase) {
        Map<String, ToServer.VolumeReport> volumes = new HashMap<>();
        one.volumes().forEach((alias, volume) -> {
            ToNode.Grant grant = volume.grant();
            volumes.put(
                    alias,
                    new ToServer.VolumeReport(volume.volume(), grant == null ? 0 : grant.epoch(), phase, 0, null));
        });
        ToServer.AllocReport report =
                new ToServer.AllocReport(one.allocId(), status, "", Map.of(), volumes, null, null);
        said.put(one.allocId(), report);
        return report;
    }

    /** Forgets what is to be destroyed. */
    void gone(List<String> allocIds) {
        said.keySet().removeAll(allocIds);
    }

    /** All that was said and is not forgotten, as a node says it again on each new link. */
    List<ToServer.AllocReport> all() {
        return List.copyOf(said.values());
    }

    /** What a plugin answers that succeeds in all. */
    static ControllerReply succeeded(ControllerCall call) {
        return switch (call) {
            case ControllerCall.Publish _ -> new ControllerReply.Published(Secrets.none());
            case ControllerCall.Validate _ -> new ControllerReply.Confirmed();
            case ControllerCall.Unpublish _ -> new ControllerReply.Unpublished();
            default -> throw new IllegalStateException("not played: " + call);
        };
    }
}
