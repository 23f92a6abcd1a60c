package io.cleat.api;

import static io.cleat.api.JobField.block;
import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.label;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.texts;
import static io.cleat.api.JobField.word;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostRequest;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeModes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Blocks of a job that ask for volumes. */
public final class VolumeBlocks {
    static final String CSI = "csi";
    static final String HOST = "host";

    /** How a volume may be used, in the order in which messages name it; also what only host volumes have. */
    public static final List<String> ACCESS_MODES = List.of(
            "single-node-reader-only",
            "single-node-writer",
            "single-node-single-writer",
            "single-node-multi-writer",
            "multi-node-reader-only",
            "multi-node-single-writer",
            "multi-node-multi-writer");

    /** How what is mounted in a volume is seen on the other side. */
    static final List<String> PROPAGATIONS = List.of("private", "host-to-task", "bidirectional");

    /** How a volume is mounted; into the model and back by {@link MountOptionsConversion}. */
    public static final JobBlock<CsiMountOptions, CsiMountOptions> MOUNT_OPTIONS = JobBlock.of(
                    "mount_options", CsiMountOptions.class, CsiMountOptions.class)
            .fields(
                    text("FSType").inFile("fs_type").inModel("FSType"),
                    texts("MountFlags").inModel("MountFlags"),
                    text("Owner").inModel("Owner"),
                    text("Group").inModel("Group"),
                    text("Mode").inModel("Mode"))
            .done();

    /** The volume block of a group. */
    static final JobBlock<VolumeRequest, io.cleat.model.VolumeRequest> VOLUME = JobBlock.of(
                    "volume", VolumeRequest.class, io.cleat.model.VolumeRequest.class)
            .fields(
                    label("Name").inModel("alias"),
                    text("Type").oneOf(List.of(CSI, HOST)).notInModel().required(),
                    text("Source").required(),
                    flag("ReadOnly"),
                    text("AccessMode").oneOf(ACCESS_MODES).notInModel(),
                    word("AttachmentMode", AttachmentMode.class).notInModel(),
                    block("MountOptions", MOUNT_OPTIONS).notInModel(),
                    flag("PerAlloc"),
                    flag("Sticky").notInModel())
            .taken(
                    "modes",
                    given -> isForHost(given) ? hostModes(given) : modes(given.AccessMode(), given.AttachmentMode()))
            .taken("mountOptions", given -> MountOptionsConversion.toModel(given.MountOptions()))
            .taken("host", given -> isForHost(given) ? new HostRequest(given.Sticky(), saysModes(given)) : null)
            .shown("Type", volume -> volume.isForHost() ? HOST : CSI)
            .shown(
                    "AccessMode",
                    volume -> saysModes(volume) ? volume.modes().access().wire() : "")
            .shown(
                    "AttachmentMode",
                    volume -> saysModes(volume) ? volume.modes().attachment().wire() : "")
            .shown("MountOptions", volume -> mountOptions(volume.mountOptions()))
            .shown("Sticky", io.cleat.model.VolumeRequest::isSticky)
            .done();

    /** The volume_mount block of a task. */
    static final JobBlock<VolumeMount, io.cleat.model.VolumeMount> VOLUME_MOUNT = JobBlock.of(
                    "volume_mount", VolumeMount.class, io.cleat.model.VolumeMount.class)
            .fields(
                    text("Volume").inModel("alias").usually("").required(),
                    text("Destination").usually("").required(),
                    flag("ReadOnly").usually(false),
                    text("PropagationMode")
                            .oneOf(PROPAGATIONS)
                            .inModel("propagation")
                            .usually("private"),
                    text("SELinuxLabel")
                            .inFile("selinux_label")
                            .inModel("selinuxLabel")
                            .usually(""))
            .done();

    private VolumeBlocks() {}

    /** The volumes of a group by alias, which is what each is called. */
    static Map<String, io.cleat.model.VolumeRequest> byAlias(@Nullable Map<String, VolumeRequest> given) {
        Map<String, io.cleat.model.VolumeRequest> volumes = new TreeMap<>();
        JobConversion.mapOf(given)
                .forEach((alias, volume) -> volumes.put(
                        alias,
                        VOLUME.toModel(
                                Edit.of(volume).set(VolumeRequest::Name, alias).done())));
        return volumes;
    }

    private static boolean isForHost(VolumeRequest volume) {
        return volume.Type().equals(HOST);
    }

    private static VolumeModes modes(String access, String attachment) {
        return new VolumeModes(
                JobConversion.wire(AccessMode.class, access), JobConversion.wire(AttachmentMode.class, attachment));
    }

    private static boolean saysModes(VolumeRequest volume) {
        return !volume.AccessMode().isEmpty() || !volume.AttachmentMode().isEmpty();
    }

    private static boolean saysModes(io.cleat.model.VolumeRequest volume) {
        HostRequest host = volume.host();
        return host == null || host.modesSaid();
    }

    /** What a job leaves out of a host volume is the usual. */
    private static VolumeModes hostModes(VolumeRequest volume) {
        return modes(
                Canonical.orElse(
                        volume.AccessMode(),
                        (volume.ReadOnly() ? AccessMode.SINGLE_NODE_READER_ONLY : AccessMode.SINGLE_NODE_WRITER)
                                .wire()),
                Canonical.orElse(volume.AttachmentMode(), AttachmentMode.FILE_SYSTEM.wire()));
    }

    private static @Nullable CsiMountOptions mountOptions(MountOptions options) {
        return options.equals(MountOptions.NONE) ? null : MountOptionsConversion.toJson(options);
    }
}
