package io.cleat.cli;

import io.cleat.api.HostVolume;
import io.cleat.api.HostVolumeStub;
import java.util.Comparator;
import java.util.List;

/** Host volumes as text. */
final class HostVolumeView {
    private HostVolumeView() {}

    static String list(List<HostVolumeStub> volumes, boolean verbose) {
        Columns columns = new Columns("ID", "Name", "Namespace", "Plugin ID", "Node ID", "Node Pool", "State");
        volumes.stream()
                .sorted(Comparator.comparing(HostVolumeStub::Name).thenComparing(HostVolumeStub::ID))
                .forEach(one -> columns.row(
                        Human.id(one.ID(), verbose),
                        one.Name(),
                        one.Namespace(),
                        one.PluginID(),
                        Human.id(one.NodeID(), verbose),
                        one.NodePool(),
                        one.State()));
        return columns.text();
    }

    static String summary(HostVolume volume) {
        return new Rows()
                .put("ID", volume.ID())
                .put("Name", volume.Name())
                .put("Namespace", volume.Namespace())
                .put("Plugin ID", volume.PluginID())
                .put("Node ID", volume.NodeID())
                .put("Node Pool", volume.NodePool())
                .put("Capacity", Human.bytes(volume.CapacityBytes()))
                .put("State", volume.State())
                .put("Host Path", volume.HostPath())
                .text();
    }
}
