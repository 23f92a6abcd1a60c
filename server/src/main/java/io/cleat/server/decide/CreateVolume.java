package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.ControllerCapability;
import io.cleat.model.VolumeSpec;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.Optional;

/**
 * Has a plugin create a volume, and registers it once it has. A registered one is changed instead: its plugin is called
 * only to expand it.
 *
 * @param spec checked by intake
 * @param operationId a fresh id
 */
public record CreateVolume(VolumeSpec spec, Encrypted secrets, String operationId) implements Command<VolumeReply> {
    @Override
    public Decision<Change, VolumeReply> decide(ClusterState newest, DecideContext context) {
        Instant now = context.decidedAt();
        Optional<Refusal> refusal = NamespaceRules.missing(newest, context, spec.id())
                .or(() -> VolumeRules.pluginMissing(newest, spec.pluginId()))
                .or(() -> VolumeRules.unknownMode(newest, spec))
                .or(() -> Operations.inFlight(newest, spec.id()).map(row -> Operations.busy(row, spec.id(), now)));
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        Optional<VolumeRow> known = newest.volume(spec.id());
        if (known.isPresent()) {
            return switch (VolumeRules.update(newest, known.get(), spec)) {
                case VolumeRules.Update.Faulty(Refusal faulty) -> Work.refuse(faulty);
                case VolumeRules.Update.Merged(VolumeSpec merged, boolean grows) -> {
                    if (grows) {
                        yield VolumeRules.expand(work, known.get(), merged, secrets, operationId);
                    }
                    Volumes.put(work, merged, secrets);
                    yield work.accept(new VolumeReply.Done());
                }
            };
        }
        if (!spec.cloneId().isEmpty()) {
            PluginHealth plugin = PluginHealth.of(newest, spec.pluginId());
            if (!plugin.can(ControllerCapability.CLONE_VOLUME)) {
                return Work.refuse(Operations.unable(plugin, "cloning volumes"));
            }
        }
        return Operations.start(
                work,
                operationId,
                spec.pluginId(),
                ControllerCapability.CREATE_DELETE_VOLUME,
                "creating volumes",
                new OperationCall.Create(spec, secrets));
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
