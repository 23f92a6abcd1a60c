package io.cleat.csi;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;

/** Uses of an existing volume that its plugin is asked about. */
public record ValidationOrder(
        String volumeId,
        Map<String, String> volumeContext,
        List<VolumeUse> uses,
        Map<String, String> parameters,
        Secrets secrets) {
    public ValidationOrder {
        volumeContext = Ordered.copyOf(volumeContext);
        uses = List.copyOf(uses);
        parameters = Ordered.copyOf(parameters);
    }
}
