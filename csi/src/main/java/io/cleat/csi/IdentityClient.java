package io.cleat.csi;

import io.cleat.base.Deadline;
import io.cleat.csi.v1.GetPluginCapabilitiesRequest;
import io.cleat.csi.v1.GetPluginInfoRequest;
import io.cleat.csi.v1.IdentityGrpc;
import io.cleat.csi.v1.ProbeRequest;
import io.cleat.csi.v1.ProbeResponse;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The identity service of a plugin. Its calls change nothing. */
public final class IdentityClient {
    private static final String SERVICE = "Identity";
    private static final Call<ProbeRequest, ProbeResponse, Boolean> PROBE = Call.look(
            SERVICE,
            IdentityGrpc.getProbeMethod(),
            ProbeRequest.getDefaultInstance(),
            "",
            List.of(),
            reply -> !reply.hasReady() || reply.getReady().getValue());

    private final Tries tries;
    private final Abilities<PluginCapability> abilities;

    IdentityClient(Tries tries) {
        this.tries = tries;
        this.abilities = tries.abilities(this::capabilities);
    }

    Abilities<PluginCapability> abilities() {
        return abilities;
    }

    /** GetPluginInfo. */
    public PluginIdentity info(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.makeUngated(
                Call.look(
                        SERVICE,
                        IdentityGrpc.getGetPluginInfoMethod(),
                        GetPluginInfoRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        reply -> new PluginIdentity(
                                Replies.id("name", reply.getName()),
                                Replies.text("vendor_version", reply.getVendorVersion(), Replies.MOST_TEXT),
                                Replies.map("manifest", reply.getManifestMap()))),
                deadline);
    }

    /** GetPluginCapabilities; those that this version does not know are left out. */
    public Set<PluginCapability> capabilities(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.makeUngated(
                Call.look(
                        SERVICE,
                        IdentityGrpc.getGetPluginCapabilitiesMethod(),
                        GetPluginCapabilitiesRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        reply -> known(reply.getCapabilitiesList())),
                deadline);
    }

    private static Set<PluginCapability> known(List<io.cleat.csi.v1.PluginCapability> said) {
        EnumSet<PluginCapability> found = EnumSet.noneOf(PluginCapability.class);
        for (io.cleat.csi.v1.PluginCapability capability : said) {
            switch (capability.getTypeCase()) {
                case SERVICE ->
                    Wire.sameName(
                                    PluginCapability.class,
                                    capability.getService().getType())
                            .ifPresent(found::add);
                case VOLUME_EXPANSION -> {
                    switch (capability.getVolumeExpansion().getType()) {
                        case ONLINE -> found.add(PluginCapability.ONLINE_EXPANSION);
                        case OFFLINE -> found.add(PluginCapability.OFFLINE_EXPANSION);
                        case UNKNOWN, UNRECOGNIZED -> {}
                    }
                }
                case TYPE_NOT_SET -> {}
            }
        }
        return Collections.unmodifiableSet(found);
    }

    /** Probe: whether the plugin says it is ready. A plugin that does not say counts as ready. */
    public boolean isReady(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.makeUngated(PROBE, deadline);
    }

    /** Probe, tried once: for who looks again by itself, as while a plugin starts. */
    public boolean isReadyNow(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.makeUngated(PROBE, deadline, 1);
    }
}
