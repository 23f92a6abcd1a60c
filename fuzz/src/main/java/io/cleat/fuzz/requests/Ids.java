package io.cleat.fuzz.requests;

/**
 * What there is to ask for, so that damage goes deep.
 *
 * @param job one that may be changed and stopped
 * @param volume one that may be changed and deleted
 * @param allocation of a job that may be stopped, restarted and looked into
 * @param evaluation any
 * @param deployment any
 * @param plugin any
 * @param node for reads; what drains is asked of one that does not exist
 */
public record Ids(
        String job,
        String volume,
        String allocation,
        String evaluation,
        String deployment,
        String plugin,
        String node) {
    private static final String NOBODY = "00000000-0000-4000-8000-000000000000";

    /** What stands for {@code :id} in a route. */
    String of(String method, String pattern) {
        String[] parts = pattern.split("/", -1);
        return switch (parts.length > 2 ? parts[2] : "") {
            case "job" -> job;
            case "volume" -> volume;
            case "allocation" -> allocation;
            case "client" -> allocation;
            case "evaluation" -> evaluation;
            case "deployment" -> deployment;
            case "plugin" -> plugin;
            case "var" -> "fuzz/variable";
            case "node" -> method.equals("GET") ? node : NOBODY;
            default -> NOBODY;
        };
    }
}
