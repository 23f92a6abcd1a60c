package io.cleat.agent.volumes;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.util.Map;

/**
 * One allocation's claim on a volume, granted: leave to stage and publish.
 *
 * @param alias the allocation's name for the volume
 * @param epoch version of the grant
 * @param publishContext what the controller's publish call answered, byte for byte
 */
public record GrantedClaim(
        String allocId,
        String alias,
        VolumeId volume,
        String pluginId,
        String externalId,
        boolean readOnly,
        VolumeModes modes,
        MountOptions mountOptions,
        Map<String, String> context,
        long epoch,
        Secrets publishContext,
        Secrets secrets) {
    public GrantedClaim {
        context = Ordered.copyOf(context);
    }
}
