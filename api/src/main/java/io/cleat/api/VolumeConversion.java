package io.cleat.api;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.MountOptions;
import io.cleat.model.NameRule;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.model.WireNamed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conversion from a volume's JSON to the model, with its rules. */
public final class VolumeConversion {
    private VolumeConversion() {}

    /**
     * What a user asks of a volume. Its secrets are not in it. A mount flag that is the mark of redaction is kept: it
     * means that the stored flags stay.
     *
     * @param namespace of the request; the volume's own wins
     * @throws Refused {@link Refusal.Invalid} with all faults in one text, as the wire has them
     */
    public static VolumeSpec toSpec(CsiVolume volume, String namespace) throws Refused {
        List<String> faults = new ArrayList<>();
        String owner = volume.Namespace().isEmpty() ? namespace : volume.Namespace();
        addIf(faults, volume.ID().isEmpty(), "missing volume id");
        addIf(faults, volume.PluginID().isEmpty(), "missing plugin id");
        addIf(faults, owner.isEmpty(), "missing namespace");
        addIf(
                faults,
                !volume.SnapshotID().isEmpty() && !volume.CloneID().isEmpty(),
                "only one of snapshot_id and clone_id is allowed");
        List<VolumeModes> modes = modes(volume.RequestedCapabilities(), faults);
        if (faults.isEmpty()) {
            NameRule.idFault("volume id", volume.ID()).ifPresent(faults::add);
            NameRule.idFault("plugin id", volume.PluginID()).ifPresent(faults::add);
            NameRule.partFault("namespace", owner).ifPresent(faults::add);
        }
        addIf(faults, owner.equals("*"), "a volume belongs to one namespace, not to \"*\"");
        addIf(
                faults,
                volume.RequestedCapacityMin() < 0 || volume.RequestedCapacityMax() < 0,
                "capacity can't be negative");
        addIf(
                faults,
                volume.RequestedCapacityMax() > 0 && volume.RequestedCapacityMax() < volume.RequestedCapacityMin(),
                "capacity_max is less than capacity_min");
        faults.addAll(MountOptionsConversion.faults(volume.MountOptions()));
        TopologyRequest topologies = topologies(volume.RequestedTopologies(), faults);
        VolumeSpec spec = new VolumeSpec(
                new VolumeId(owner, volume.ID()),
                volume.Name(),
                volume.ExternalID(),
                volume.PluginID(),
                modes,
                mountOptions(volume),
                volume.RequestedCapacityMin(),
                volume.RequestedCapacityMax(),
                JobConversion.mapOf(volume.Parameters()),
                JobConversion.mapOf(volume.Context()),
                topologies,
                volume.SnapshotID(),
                volume.CloneID());
        faults.addAll(OneLine.faults(spec, "volume"));
        if (!faults.isEmpty()) {
            throw new Refused(new Refusal.Invalid("validation: " + String.join(", ", faults)));
        }
        return spec;
    }

    /** Nothing lies below a volume's own options: to say none is to say nothing. */
    private static MountOptions mountOptions(CsiVolume volume) {
        MountOptions said = MountOptionsConversion.toModel(volume.MountOptions());
        return new MountOptions(said.fsType(), said.flags(), false, said.ownership());
    }

    private static List<VolumeModes> modes(@Nullable List<CsiCapability> capabilities, List<String> faults) {
        List<VolumeModes> modes = new ArrayList<>();
        addIf(faults, JobConversion.listOf(capabilities).isEmpty(), "must include at least one capability block");
        for (CsiCapability capability : JobConversion.listOf(capabilities)) {
            Optional<AccessMode> access = WireNamed.find(AccessMode.class, capability.AccessMode());
            Optional<AttachmentMode> attachment = WireNamed.find(AttachmentMode.class, capability.AttachmentMode());
            addIf(
                    faults,
                    access.isPresent() && !access.get().isForCsi(),
                    "access mode \"" + capability.AccessMode() + "\" is for host volumes");
            addIf(faults, access.isEmpty(), "unknown access mode \"" + capability.AccessMode() + "\"");
            addIf(faults, attachment.isEmpty(), "unknown attachment mode \"" + capability.AttachmentMode() + "\"");
            if (access.isPresent() && attachment.isPresent()) {
                modes.add(new VolumeModes(access.get(), attachment.get()));
            }
        }
        return modes;
    }

    private static TopologyRequest topologies(@Nullable CsiTopologyRequest given, List<String> faults) {
        if (given == null) {
            return TopologyRequest.NONE;
        }
        return new TopologyRequest(
                topologies("required", given.Required(), faults), topologies("preferred", given.Preferred(), faults));
    }

    private static List<Topology> topologies(String kind, @Nullable List<CsiTopology> given, List<String> faults) {
        List<Topology> topologies = new ArrayList<>();
        for (CsiTopology topology : JobConversion.listOf(given)) {
            if (topology == null || JobConversion.mapOf(topology.Segments()).isEmpty()) {
                faults.add(kind + " topology is missing segments field");
            } else {
                topologies.add(new Topology(JobConversion.mapOf(topology.Segments())));
            }
        }
        return topologies;
    }

    private static void addIf(List<String> faults, boolean isWrong, String fault) {
        if (isWrong) {
            faults.add(fault);
        }
    }
}
