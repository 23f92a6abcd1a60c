package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a job that this version cannot carry out. They are refused by name, because a job that runs without
 * something it asked for is worse than one that does not run.
 */
final class UnsupportedParts {
    private UnsupportedParts() {}

    /**
     * @param what the part, as the user knows it
     * @param instead what to do instead; empty for "remove it"
     */
    static String text(String what, String instead) {
        return what + " is not supported by this version of Cleat; " + (instead.isEmpty() ? "remove it" : instead);
    }

    static void ofJob(Job job, Faults faults) {
        refuse("payload", job.Payload(), faults);
        refuse("multiregion", job.Multiregion(), faults);
        refuse("ui", job.UI(), faults);
        refuse("consul namespace", job.ConsulNamespace(), faults);
        refuse("vault namespace", job.VaultNamespace(), faults);
        refuse("parent job", job.ParentID(), faults);
        faults.addIf(
                !Canonical.orElse(job.Region(), "global").equals("global"),
                text("region \"" + job.Region() + "\"", "the only region is \"global\""));
    }

    static void ofGroup(TaskGroup group, Faults faults) {
        refuse("consul", group.Consul(), faults);
        refuse("disconnect", group.Disconnect(), faults);
        refuse("max_client_disconnect", group.MaxClientDisconnect(), faults);
        refuse("stop_after_client_disconnect", group.StopAfterClientDisconnect(), faults);
        faults.addIf(
                Canonical.or(group.PreventRescheduleOnLost(), false),
                text("prevent_reschedule_on_lost", "set it to false"));
    }

    static void ofTask(Task task, Faults faults) {
        refuse("action", task.Actions(), faults);
        refuse("consul", task.Consul(), faults);
        refuse("identity", task.Identities(), faults);
        RawJson identity = task.Identity();
        faults.addIf(
                identity != null && !identity.equals(Canonical.IDENTITY), text("identity other than the default", ""));
        refuse("kind", task.Kind(), faults);
        refuse("scaling", task.ScalingPolicies(), faults);
        refuse("schedule", task.Schedule(), faults);
        refuse("secret", task.Secrets(), faults);
        refuse("vault", task.Vault(), faults);
        if (task.Resources() != null) {
            ofResources(task.Resources(), faults);
        }
    }

    private static void ofResources(Resources resources, Faults faults) {
        refuse("device", resources.Devices(), faults);
        refuse("numa", resources.NUMA(), faults);
        faults.addIf(
                resources.Networks() != null && !resources.Networks().isEmpty(),
                text("network in resources", "write the network block in the group"));
        faults.addIf(Canonical.or(resources.SecretsMB(), 0) > 0, text("secrets size", ""));
        faults.addIf(Canonical.or(resources.DiskMB(), 0) > 0, text("disk in resources", "use ephemeral_disk"));
        faults.addIf(Canonical.or(resources.IOPS(), 0) > 0, text("iops", ""));
    }

    private static void refuse(String what, @Nullable RawJson part, Faults faults) {
        faults.addIf(part != null && !part.isEmpty(), text(what, ""));
    }

    private static void refuse(String what, @Nullable String part, Faults faults) {
        faults.addIf(part != null && !part.isEmpty(), text(what, ""));
    }

    private static void refuse(String what, @Nullable Long part, Faults faults) {
        faults.addIf(part != null, text(what, ""));
    }
}
