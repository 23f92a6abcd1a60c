package io.cleat.api;

/**
 * The parts of a job that this version cannot carry out. They are refused by name, because a job that runs without
 * something it asked for is worse than one that does not run.
 */
final class UnsupportedParts {
    private UnsupportedParts() {}

    /**
     * @param what the part, as the user knows it
     * @param instead what to do instead
     */
    static String text(String what, String instead) {
        return what + " is not supported by this version of Cleat; " + instead;
    }

    static void ofJob(Job job, Faults faults) {
        faults.addIf(
                !Canonical.orElse(job.Region(), "global").equals("global"),
                text("region \"" + job.Region() + "\"", "the only region is \"global\""));
    }

    static void ofTask(Task task, Faults faults) {
        RawJson identity = task.Identity();
        faults.addIf(
                identity != null && !identity.equals(Canonical.IDENTITY),
                text("identity other than the default", "remove it"));
    }
}
