package io.cleat.cli;

import io.cleat.api.CsiCapability;
import io.cleat.api.CsiMountOptions;
import io.cleat.api.CsiTopology;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.ExternalVolume;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Volumes as text. */
final class VolumeView {
    private VolumeView() {}

    static String list(List<CsiVolumeStub> volumes) {
        Columns columns = new Columns("ID", "Name", "Namespace", "Plugin ID", "Schedulable", "Access Mode");
        volumes.stream()
                .sorted(Comparator.comparing(CsiVolumeStub::ID).thenComparing(CsiVolumeStub::Namespace))
                .forEach(one -> columns.row(
                        one.ID(),
                        one.Name(),
                        one.Namespace(),
                        one.PluginID(),
                        Boolean.toString(one.Schedulable()),
                        one.AccessMode()));
        return columns.text();
    }

    static String summary(CsiVolume volume) {
        return new Rows()
                .put("ID", volume.ID())
                .put("Name", volume.Name())
                .put("Namespace", volume.Namespace())
                .put("External ID", volume.ExternalID())
                .put("Plugin ID", volume.PluginID())
                .put("Provider", volume.Provider())
                .put("Version", volume.ProviderVersion())
                .put("Capacity", volume.Capacity() == 0 ? "" : Human.bytes(volume.Capacity()))
                .put("Schedulable", volume.Schedulable())
                .put("Controllers Healthy", volume.ControllersHealthy())
                .put("Controllers Expected", volume.ControllersExpected())
                .put("Nodes Healthy", volume.NodesHealthy())
                .put("Nodes Expected", volume.NodesExpected())
                .put("Access Mode", volume.AccessMode())
                .put("Attachment Mode", volume.AttachmentMode())
                .put("Mount Options", mountOptions(volume.MountOptions()))
                .text();
    }

    private static String mountOptions(@Nullable CsiMountOptions options) {
        if (options == null) {
            return "";
        }
        String type = options.FSType().isEmpty() ? "" : "fs_type: " + options.FSType();
        boolean flags = options.MountFlags() != null && !options.MountFlags().isEmpty();
        return (type + (flags ? " flags: " + CsiMountOptions.REDACTED.getFirst() : "")).strip();
    }

    /** The topologies' table; empty when there are none. */
    static String topologies(@Nullable List<@Nullable CsiTopology> topologies) {
        Columns columns = new Columns("Topology", "Segments");
        int number = 0;
        for (CsiTopology one : topologies == null ? List.<CsiTopology>of() : topologies) {
            if (one != null && one.Segments() != null) {
                columns.row(String.format(Locale.ROOT, "%02d", number++), segments(one.Segments()));
            }
        }
        return number == 0 ? "" : columns.text();
    }

    /** {@code a=1,b=2}, by name. */
    static String segments(@Nullable Map<String, String> segments) {
        return segments == null
                ? ""
                : new TreeMap<>(segments)
                        .entrySet().stream()
                                .map(one -> one.getKey() + "=" + one.getValue())
                                .collect(Collectors.joining(","));
    }

    /** The capabilities' table; empty when there are none. */
    static String capabilities(@Nullable List<CsiCapability> capabilities) {
        if (capabilities == null || capabilities.isEmpty()) {
            return "";
        }
        Columns columns = new Columns("Access Mode", "Attachment Mode");
        capabilities.forEach(one -> columns.row(one.AccessMode(), one.AttachmentMode()));
        return columns.text();
    }

    /** What a plugin itself lists. */
    static String external(List<ExternalVolume> volumes) {
        Columns columns = new Columns("External ID", "Condition", "Nodes");
        for (ExternalVolume one : volumes) {
            columns.row(
                    one.ExternalID(),
                    one.IsAbnormal() ? "Abnormal (" + one.Status() + ")" : "OK",
                    one.PublishedExternalNodeIDs() == null ? "" : String.join(",", one.PublishedExternalNodeIDs()));
        }
        return columns.text();
    }
}
