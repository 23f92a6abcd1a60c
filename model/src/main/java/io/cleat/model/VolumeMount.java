package io.cleat.model;

/**
 * Where a task sees a volume of its group.
 *
 * @param alias the name of the group's volume block
 * @param destination a path; below the task's directory where the driver does not isolate files
 * @param propagation {@code private}, {@code host-to-task} or {@code bidirectional}
 */
public record VolumeMount(
        String alias, String destination, boolean readOnly, String propagation, String selinuxLabel) {}
