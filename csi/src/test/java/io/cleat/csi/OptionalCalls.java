package io.cleat.csi;

import com.google.errorprone.annotations.Immutable;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Each call that is sent only to a plugin that announces it, with secrets where it takes them. */
enum OptionalCalls {
    EXPAND(
            "ControllerExpandVolume",
            "EXPAND_VOLUME",
            true,
            (c, s) -> c.controller()
                    .expand(
                            new ControllerExpansion(
                                    PluginRig.VOLUME, new CapacityRange(2 << 20, 0), Optional.of(PluginRig.USE), s),
                            PluginRig.minute())),
    MODIFY("ControllerModifyVolume", "MODIFY_VOLUME", true, (c, s) -> {
        c.controller().modify(PluginRig.VOLUME, Map.of("speed", "fast"), s, PluginRig.minute());
        return "";
    }),
    GET("ControllerGetVolume", "GET_VOLUME", false, (c, s) -> get(c)),
    CREATE_SNAPSHOT(
            "CreateSnapshot",
            "CREATE_DELETE_SNAPSHOT",
            true,
            (c, s) -> c.snapshots()
                    .create(
                            new SnapshotOrder(PluginRig.VOLUME, "a", Map.of(), s, List.of(), List.of()),
                            PluginRig.minute())),
    DELETE_SNAPSHOT("DeleteSnapshot", "CREATE_DELETE_SNAPSHOT", true, (c, s) -> {
        c.snapshots().delete("snap-a", s, PluginRig.minute());
        return "";
    }),
    LIST_SNAPSHOTS(
            "ListSnapshots",
            "LIST_SNAPSHOTS",
            false,
            (c, s) -> c.snapshots().list(new SnapshotQuery(0, "5", PluginRig.VOLUME, "", s), PluginRig.minute())),
    GET_SNAPSHOT("GetSnapshot", "GET_SNAPSHOT", false, (c, s) -> c.snapshots().get("snap-a", s, PluginRig.minute())),
    CREATE_GROUP(
            "CreateVolumeGroupSnapshot",
            "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT",
            true,
            (c, s) -> c.groups()
                    .create(new GroupSnapshotOrder("g", List.of(PluginRig.VOLUME), Map.of(), s), PluginRig.minute())),
    DELETE_GROUP("DeleteVolumeGroupSnapshot", "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT", true, (c, s) -> {
        c.groups().delete("group-g", List.of("snap-g-ext-v1"), s, PluginRig.minute());
        return "";
    }),
    GET_GROUP(
            "GetVolumeGroupSnapshot",
            "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT",
            false,
            (c, s) -> c.groups().get("group-g", List.of("snap-g-ext-v1"), s, PluginRig.minute())),
    NODE_EXPAND(
            "NodeExpandVolume",
            "EXPAND_VOLUME",
            true,
            (c, s) -> c.node()
                    .expand(
                            new NodeExpansion(
                                    PluginRig.VOLUME,
                                    "/target",
                                    "/stage",
                                    new CapacityRange(2 << 20, 0),
                                    Optional.of(PluginRig.USE),
                                    s),
                            PluginRig.minute())),
    STATS(
            "NodeGetVolumeStats",
            "GET_VOLUME_STATS",
            false,
            (c, s) -> c.node().stats(PluginRig.VOLUME, "/target", "/stage", PluginRig.minute())),
    CONTROLLER_HEALTH(
            "ControllerGetVolumeHealth",
            "GET_VOLUME_HEALTH",
            false,
            (c, s) -> c.health().seenByController(PluginRig.VOLUME, s, PluginRig.minute())),
    LIST_HEALTH(
            "ControllerListVolumeHealth",
            "LIST_VOLUME_HEALTH",
            false,
            (c, s) -> c.health().listedByController(0, "5", s, PluginRig.minute())),
    NODE_HEALTH(
            "NodeGetVolumeHealth",
            "GET_VOLUME_HEALTH",
            false,
            (c, s) -> c.health().seenByNode(PluginRig.VOLUME, "/target", "/stage", PluginRig.minute())),
    STORAGE_HEALTH(
            "NodeGetStorageHealth",
            "GET_STORAGE_HEALTH",
            false,
            (c, s) -> c.health().storageSeenByNode(s, PluginRig.minute())),
    ALLOCATED(
            "GetMetadataAllocated",
            "SNAPSHOT_METADATA_SERVICE",
            false,
            (c, s) -> c.snapshotMetadata()
                    .allocated(new BlockQuery("snap-a", 0, 0, 1 << 20, s), page -> true, PluginRig.minute())),
    CHANGED(
            "GetMetadataDelta",
            "SNAPSHOT_METADATA_SERVICE",
            false,
            (c, s) -> c.snapshotMetadata()
                    .changed("snap-0", new BlockQuery("snap-a", 0, 0, 1 << 20, s), page -> true, PluginRig.minute()));

    final String csiName;
    final String capability;

    /** Whether it changes something, so that its effect can be unknown. */
    final boolean changes;

    private final Ask ask;

    /** Makes the call. */
    @Immutable
    private interface Ask {
        Object ask(PluginChannel channel, Secrets secrets) throws CsiTrouble, InterruptedException;
    }

    OptionalCalls(String csiName, String capability, boolean changes, Ask ask) {
        this.csiName = csiName;
        this.capability = capability;
        this.changes = changes;
        this.ask = ask;
    }

    private static Object get(PluginChannel channel) throws CsiTrouble, InterruptedException {
        return channel.controller().get(PluginRig.VOLUME, PluginRig.minute());
    }

    Object make(PluginChannel channel) throws CsiTrouble, InterruptedException {
        return make(channel, Secrets.none());
    }

    Object make(PluginChannel channel, Secrets secrets) throws CsiTrouble, InterruptedException {
        return ask.ask(channel, secrets);
    }

    static Stream<OptionalCalls> all() {
        return Stream.of(values());
    }
}
