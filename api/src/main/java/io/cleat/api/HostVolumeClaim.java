package io.cleat.api;

/**
 * A host volume that a task group keeps: allocations of one name come back to it.
 *
 * @param AllocID the allocation that uses it, or was the last to
 * @param TaskGroupName of its job
 * @param VolumeName by which the group asks for it
 */
public record HostVolumeClaim(
        String AllocID,
        long CreateIndex,
        String ID,
        String JobID,
        long ModifyIndex,
        String Namespace,
        String TaskGroupName,
        String VolumeID,
        String VolumeName) {}
