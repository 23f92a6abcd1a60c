package io.cleat.api;

/** What a plugin's controller service can do. */
public record PluginController(
        boolean SupportsAttachDetach,
        boolean SupportsClone,
        boolean SupportsCondition,
        boolean SupportsCreateDelete,
        boolean SupportsCreateDeleteSnapshot,
        boolean SupportsExpand,
        boolean SupportsGet,
        boolean SupportsGetCapacity,
        boolean SupportsListSnapshots,
        boolean SupportsListVolumes,
        boolean SupportsListVolumesAttachedNodes,
        boolean SupportsReadOnlyAttach) {}
