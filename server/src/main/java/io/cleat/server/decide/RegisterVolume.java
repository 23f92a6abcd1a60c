package io.cleat.server.decide;

import io.cleat.base.Refusal;
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
 * Registers a volume that exists at its plugin, or changes a registered one. Where the plugin has a controller, that is
 * asked to confirm the capabilities first.
 *
 * @param spec checked by intake
 * @param secrets replace those of a registered volume
 * @param operationId a fresh id
 */
public record RegisterVolume(VolumeSpec spec, Encrypted secrets, String operationId) implements Command<VolumeReply> {
    @Override
    public Decision<Change, VolumeReply> decide(ClusterState newest, DecideContext context) {
        Instant now = context.decidedAt();
        Optional<Refusal> refusal = NamespaceRules.missing(newest, context, spec.id())
                .or(() -> VolumeRules.pluginMissing(newest, spec.pluginId()))
                .or(() -> VolumeRules.unknownMode(newest, spec))
                .or(() -> Operations.inFlight(newest, spec.id()).map(row -> Operations.busy(row, spec.id(), now)))
                .or(() -> VolumeRules.excluded(newest, spec));
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        VolumeSpec merged = spec;
        Optional<VolumeRow> known = newest.volume(spec.id());
        if (known.isPresent()) {
            switch (VolumeRules.update(newest, known.get(), spec)) {
                case VolumeRules.Update.Faulty(Refusal faulty) -> {
                    return Work.refuse(faulty);
                }
                case VolumeRules.Update.Merged(VolumeSpec to, boolean grows) -> {
                    if (grows) {
                        return VolumeRules.expand(new Work(newest, context), known.get(), to, secrets, operationId);
                    }
                    merged = to;
                }
            }
        }
        Work work = new Work(newest, context);
        PluginHealth plugin = PluginHealth.of(newest, spec.pluginId());
        if (!plugin.isControllerRequired()) {
            Volumes.put(work, merged, secrets);
            return work.accept(new VolumeReply.Done());
        }
        Optional<PluginHealth.Seen> instance = plugin.controller();
        if (instance.isEmpty()) {
            return Work.refuse(Operations.noController(plugin));
        }
        OperationCall call = new OperationCall.Validate(merged, secrets);
        Operations.log(work, operationId, spec.pluginId(), instance.get(), call);
        return work.accept(new VolumeReply.Started(operationId));
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
