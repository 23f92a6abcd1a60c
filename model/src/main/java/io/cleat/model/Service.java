package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;

/**
 * What an allocation serves, as its job describes it. Others find it by its name while the allocation runs. Names,
 * addresses, tags and meta may hold <code>${..}</code>.
 *
 * @param portLabel the port, by label or number; empty for none
 * @param address what is told instead of the address of the port; empty for that
 * @param canaryTags told instead of {@code tags} by a canary; empty for the same
 * @param onUpdate of checks that say nothing else
 * @param task whose service it is; empty for all tasks of the group
 */
public record Service(
        String name,
        String portLabel,
        AddressMode addressMode,
        String address,
        List<String> tags,
        List<String> canaryTags,
        Map<String, String> meta,
        Map<String, String> canaryMeta,
        OnUpdate onUpdate,
        String task,
        List<ServiceCheck> checks) {
    public Service {
        tags = List.copyOf(tags);
        canaryTags = List.copyOf(canaryTags);
        meta = Ordered.copyOf(meta);
        canaryMeta = Ordered.copyOf(canaryMeta);
        checks = List.copyOf(checks);
    }
}
