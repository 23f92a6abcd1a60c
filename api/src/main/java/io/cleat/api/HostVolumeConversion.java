package io.cleat.api;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.NameRule;
import io.cleat.model.VolumeModes;
import io.cleat.model.WireNamed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conversion from a host volume's JSON to the model, with its rules. */
public final class HostVolumeConversion {
    /** A volume is a part of what servers log. */
    private static final int MOST_PARAMETERS = 100;

    private static final int LONGEST = 4 * 1024;

    private static final VolumeModes USUAL = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);

    private HostVolumeConversion() {}

    /**
     * What is asked of a host volume that a node is to make.
     *
     * @param namespace of the request; the volume's own wins
     * @throws Refused {@link Refusal.Invalid} with all faults in one text
     */
    public static HostVolumeSpec toCreate(HostVolume volume, String namespace) throws Refused {
        List<String> faults = new ArrayList<>();
        addIf(
                faults,
                !volume.HostPath().isEmpty(),
                "host_path is of a volume that is registered; its plugin chooses where it is made");
        return spec(volume, namespace, Canonical.orElse(volume.PluginID(), HostVolumeNames.MKDIR), faults);
    }

    /** What is asked of a host volume whose directory a node has; likewise. */
    public static HostVolumeSpec toRegister(HostVolume volume, String namespace) throws Refused {
        List<String> faults = new ArrayList<>();
        addIf(faults, volume.NodeID().isEmpty(), "cannot register volume: node ID is required");
        addIf(faults, volume.HostPath().isEmpty(), "cannot register volume: host path is required");
        addIf(
                faults,
                !volume.PluginID().isEmpty(),
                "cannot register volume of plugin \""
                        + volume.PluginID()
                        + "\": a directory that is there is no plugin's; leave plugin_id out, or create the volume");
        addIf(faults, volume.Parameters() != null && !volume.Parameters().isEmpty(), "parameters are a plugin's");
        return spec(volume, namespace, "", faults);
    }

    private static HostVolumeSpec spec(HostVolume volume, String namespace, String plugin, List<String> faults)
            throws Refused {
        String owner = volume.Namespace().isEmpty() ? namespace : volume.Namespace();
        addIf(faults, volume.Name().isEmpty(), "missing name");
        if (!volume.Name().isEmpty()) {
            NameRule.idFault("name of a host volume", volume.Name()).ifPresent(faults::add);
        }
        NameRule.partFault("namespace", owner).ifPresent(faults::add);
        addIf(faults, owner.equals("*"), "a volume belongs to one namespace, not to \"*\"");
        if (!plugin.isEmpty()) {
            NameRule.partFault("plugin id", plugin).ifPresent(faults::add);
        }
        long min = volume.RequestedCapacityMinBytes();
        long max = volume.RequestedCapacityMaxBytes();
        addIf(faults, min < 0 || max < 0, "capacity can't be negative");
        addIf(faults, max > 0 && max < min, "capacity_max is less than capacity_min");
        Faults ofConstraints = new Faults();
        ConstraintRules.check(volume.Constraints(), ofConstraints);
        faults.addAll(ofConstraints.list());
        for (Constraint constraint : JobConversion.listOf(volume.Constraints())) {
            addIf(
                    faults,
                    constraint.Operand().startsWith("distinct_"),
                    "a host volume cannot have the constraint " + constraint.Operand());
        }
        List<VolumeModes> modes = modes(volume.RequestedCapabilities(), faults);
        Map<String, String> parameters = JobConversion.mapOf(volume.Parameters());
        addIf(
                faults,
                parameters.size() > MOST_PARAMETERS
                        || parameters.entrySet().stream()
                                .anyMatch(each ->
                                        each.getKey().length() + each.getValue().length() > LONGEST),
                "at most " + MOST_PARAMETERS + " parameters of " + LONGEST + " characters each are kept");
        HostVolumeSpec spec = new HostVolumeSpec(
                volume.ID(),
                owner,
                volume.Name(),
                plugin,
                volume.NodeID(),
                volume.NodePool(),
                PlacementBlocks.CONSTRAINT.toModel(volume.Constraints()),
                modes,
                min,
                max,
                parameters);
        faults.addAll(OneLine.faults(spec, "volume"));
        if (!faults.isEmpty()) {
            throw new Refused(new Refusal.Invalid("validation: " + String.join(", ", faults)));
        }
        return spec;
    }

    private static List<VolumeModes> modes(@Nullable List<CsiCapability> given, List<String> faults) {
        List<VolumeModes> modes = new ArrayList<>();
        for (CsiCapability capability : JobConversion.listOf(given)) {
            Optional<AccessMode> access =
                    WireNamed.find(AccessMode.class, capability.AccessMode()).filter(AccessMode::isSingleNode);
            boolean isDirectory = List.of("", AttachmentMode.FILE_SYSTEM.wire()).contains(capability.AttachmentMode());
            addIf(
                    faults,
                    access.isEmpty(),
                    "invalid access mode \""
                            + capability.AccessMode()
                            + "\": expected one of single-node-reader-only, single-node-writer,"
                            + " single-node-single-writer, single-node-multi-writer");
            addIf(
                    faults,
                    !isDirectory,
                    "invalid attachment mode \""
                            + capability.AttachmentMode()
                            + "\": host volumes are directories, file-system");
            access.ifPresent(mode -> modes.add(new VolumeModes(mode, AttachmentMode.FILE_SYSTEM)));
        }
        return modes.isEmpty() ? List.of(USUAL) : modes;
    }

    private static void addIf(List<String> faults, boolean isWrong, String fault) {
        if (isWrong) {
            faults.add(fault);
        }
    }
}
