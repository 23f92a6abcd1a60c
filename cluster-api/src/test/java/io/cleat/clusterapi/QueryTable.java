package io.cleat.clusterapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What each route reads of a query, what it needs beside that, and what hostile clients send in its place. A route is
 * named by method and pattern.
 */
final class QueryTable {
    /** Bytes of a value that is longer than what a server reads of a request's head. */
    static final int LONG = 100_000;

    private static final int PARTS = 8;

    /** Read for every route, or by most of them. */
    static final List<String> SHARED = List.of("region", "pretty", "namespace", "index", "wait", "stale");

    private static final List<String> LIST = List.of("prefix", "filter", "per_page", "next_token", "reverse");

    /** What each route reads beside {@link #SHARED}; a route that is not here reads nothing. */
    static final Map<String, List<String>> READ = Map.ofEntries(
            Map.entry("GET /v1/jobs", and(LIST, "meta")),
            Map.entry("GET /v1/jobs/statuses", and(LIST, "include_children")),
            Map.entry("PUT /v1/jobs/statuses", and(LIST, "include_children")),
            Map.entry("GET /v1/evaluations/count", and(LIST, "job", "status")),
            Map.entry("DELETE /v1/job/:id", List.of("purge", "force", "no_shutdown_delay", "eval_priority")),
            Map.entry("GET /v1/job/:id/versions", List.of("diffs", "diff_version", "diff_tag")),
            Map.entry("GET /v1/scaling/policies", List.of("job", "type")),
            Map.entry("GET /v1/job/:id/submission", List.of("version")),
            Map.entry("GET /v1/job/:id/allocations", List.of("all")),
            Map.entry("GET /v1/job/:id/deployments", List.of("all")),
            Map.entry("GET /v1/event/stream", List.of("topic")),
            Map.entry("GET /v1/plugins", and(LIST, "type")),
            Map.entry("GET /v1/volumes", and(LIST, "type", "plugin_id", "node_id", "node_pool")),
            Map.entry("DELETE /v1/volume/csi/:id", List.of("force")),
            Map.entry("DELETE /v1/volume/csi/:id/delete", List.of("abandon")),
            Map.entry("DELETE /v1/volume/csi/:id/detach", List.of("node", "abandon", "machine_is_off")),
            Map.entry("GET /v1/volumes/external", List.of("plugin_id", "per_page", "next_token")),
            Map.entry("GET /v1/volumes/claims", and(LIST, "job_id", "task_group", "volume_name")),
            Map.entry("GET /v1/volumes/operations", List.of("about")),
            Map.entry("GET /v1/volumes/snapshot", List.of("plugin_id", "per_page", "next_token", "snapshot_id")),
            Map.entry("DELETE /v1/volumes/snapshot", List.of("plugin_id", "snapshot_id", "abandon")),
            Map.entry("GET /v1/allocations", and(LIST, "resources", "task_states")),
            Map.entry("PUT /v1/allocation/:id/stop", List.of("no_shutdown_delay")),
            Map.entry("GET /v1/evaluations", and(LIST, "job", "status")),
            Map.entry("GET /v1/evaluation/:id", List.of("related")),
            Map.entry("GET /v1/deployments", LIST),
            Map.entry("GET /v1/namespaces", LIST),
            Map.entry("GET /v1/vars", LIST),
            Map.entry("GET /v1/services", LIST),
            Map.entry("GET /v1/service/:name", and(LIST, "choose")),
            Map.entry("PUT /v1/var/*path", List.of("cas", "lock-acquire", "lock-renew", "lock-release")),
            Map.entry("DELETE /v1/var/*path", List.of("cas")),
            Map.entry("GET /v1/metrics", List.of("format")),
            Map.entry("PUT /v1/operator/scheduler/configuration", List.of("cas")),
            Map.entry("PUT /v1/search", List.of("prefix", "context")),
            Map.entry("PUT /v1/search/fuzzy", List.of("prefix", "context")),
            Map.entry("GET /v1/nodes", and(LIST, "resources")),
            Map.entry("GET /v1/node/pools", LIST),
            Map.entry("GET /v1/node/pool/:name/nodes", LIST),
            Map.entry("GET /v1/node/pool/:name/jobs", LIST),
            Map.entry("GET /v1/agent/health", List.of("type")),
            Map.entry("GET /v1/agent/monitor", List.of("log_level", "log_json", "plain", "node_id")),
            Map.entry("GET /v1/client/stats", List.of("node_id")),
            Map.entry("GET /v1/client/gc", List.of("node_id")),
            Map.entry("PUT /v1/client/gc", List.of("node_id")),
            Map.entry("GET /v1/client/metadata", List.of("node_id")),
            Map.entry("PUT /v1/client/metadata", List.of("node_id")),
            Map.entry("GET /v1/client/allocation/:id/stats", List.of("task")),
            Map.entry("GET /v1/client/allocation/:id/exec", List.of("ws_handshake", "command", "task", "tty")),
            Map.entry("GET /v1/client/fs/ls/:id", List.of("path")),
            Map.entry("GET /v1/client/fs/stat/:id", List.of("path")),
            Map.entry("GET /v1/client/fs/cat/:id", List.of("path")),
            Map.entry("GET /v1/client/fs/readat/:id", List.of("path", "offset", "limit")),
            Map.entry("GET /v1/client/fs/stream/:id", List.of("path", "offset", "origin", "follow")),
            Map.entry("GET /v1/client/fs/logs/:id", List.of("task", "type", "offset", "origin", "plain", "follow")));

    /** What a route needs beside the parameter that is damaged. */
    private static final Map<String, Map<String, String>> NEEDED = Map.ofEntries(
            Map.entry("GET /v1/plugins", Map.of("type", "csi")),
            Map.entry("GET /v1/volumes", Map.of("type", "csi")),
            Map.entry("GET /v1/volumes/external", Map.of("plugin_id", "hp")),
            Map.entry("GET /v1/volumes/snapshot", Map.of("plugin_id", "hp")),
            Map.entry("DELETE /v1/volumes/snapshot", Map.of("plugin_id", "hp", "snapshot_id", "s")),
            Map.entry("DELETE /v1/volume/csi/:id/detach", Map.of("node", SampleCluster.NODE)),
            Map.entry("GET /v1/client/allocation/:id/exec", Map.of("command", "%5B%22x%22%5D", "task", "t")),
            Map.entry("GET /v1/client/fs/stat/:id", Map.of("path", "alloc/data/f")),
            Map.entry("GET /v1/client/fs/cat/:id", Map.of("path", "alloc/data/f")),
            Map.entry("GET /v1/client/fs/readat/:id", Map.of("path", "alloc/data/f", "offset", "1")),
            Map.entry("GET /v1/client/fs/stream/:id", Map.of("path", "alloc/data/f", "follow", "false")),
            Map.entry("GET /v1/client/fs/logs/:id", Map.of("task", "t", "type", "stdout")));

    /** Their answers go on until the client leaves. */
    static final Set<String> ENDLESS =
            Set.of("GET /v1/event/stream", "GET /v1/client/fs/stream/:id", "GET /v1/agent/monitor");

    /** Pieces of a query, raw; the parameter's name is put in place of each {@code @}. */
    static final List<String> DAMAGES = List.of(
            "@",
            "@=",
            "@=true&@=false",
            "@=&@=x",
            "@=true",
            "@=yes",
            "@=-1",
            "@=-0",
            "@=0",
            "@=%2B1",
            "@=1e9",
            "@=2147483648",
            "@=9223372036854775807",
            "@=9223372036854775808",
            "@=18446744073709551616",
            "@=" + "9".repeat(5_000),
            "@=" + "9".repeat(1_000_000),
            "@=\u0663",
            "@=+",
            "@=%00",
            "@=%",
            "@=%zz",
            "@=%ff%fe",
            "@=%ED%A0%80",
            "@=%E2%82",
            "@=%5Cud800",
            "@=%22%5Cud800%22",
            "@=" + "x".repeat(7_000),
            "@=%0a%0d%1b%5b2J",
            "@=%7F%C2%85",
            "@=%E2%80%AE%E2%81%A6",
            "@=" + "%E2%80%AE".repeat(700),
            "@=" + "(".repeat(2_000) + "ID==1",
            "@=" + "not%20".repeat(1_000) + "ID==1",
            "@=ID%20matches%20%22(a%7Ca)*!$%22",
            "@=ID%20matches%20%22(((((((((((a%7B1000%7D)%7B1000%7D)%22",
            "@=wait",
            "@=9999h",
            "@=1ns",
            "@=-5s",
            "@=" + "9".repeat(300) + "h",
            "@=*",
            "@=default",
            "@=a",
            "@=abc",
            "@=v1",
            "@=default.%00",
            "@=..%2f..%2f..%2fetc%2fpasswd",
            "@=/etc/passwd",
            "@=consistent",
            "@=null",
            "@=%5Bnull%5D",
            "@=%5B%22a%5Cu0000%22%5D",
            "@=" + "%5B".repeat(2_000),
            "@=Job:*",
            "@=*:*:*",
            "@=stdout",
            "@=end",
            "@=\u00e9",
            "@=;a=b",
            "@=a&&&=&@",
            "%40%00=1&@=1");

    private QueryTable() {}

    /**
     * Queries for a route: each parameter that it alone reads with all damages, and each that it shares with others
     * with its part of them.
     *
     * @param part which part; {@link #PARTS} routes in sequence have all
     */
    static List<String> queries(String route, int part) {
        List<String> queries = new ArrayList<>();
        for (String parameter : READ.getOrDefault(route, List.of())) {
            for (String damage : DAMAGES) {
                queries.add(query(route, parameter, damage));
            }
        }
        for (String parameter : SHARED) {
            for (int i = part % PARTS; i < DAMAGES.size(); i += PARTS) {
                queries.add(query(route, parameter, DAMAGES.get(i)));
            }
        }
        return queries;
    }

    /** The query in which one parameter of a route is damaged. */
    private static String query(String route, String parameter, String damage) {
        StringBuilder query = new StringBuilder(damage.replace("@", parameter));
        NEEDED.getOrDefault(route, Map.of()).forEach((name, value) -> {
            if (!name.equals(parameter)) {
                query.append('&').append(name).append('=').append(value);
            }
        });
        return query.toString();
    }

    /** The route's path, of something that is there. */
    static String path(String route) {
        String pattern = route.substring(route.indexOf(' ') + 1);
        return pattern.replace(":id", id(pattern));
    }

    private static String id(String pattern) {
        return switch (pattern.split("/", -1)[2]) {
            case "job" -> "web";
            case "allocation" -> SampleCluster.WEB_ALLOC;
            case "evaluation" -> SampleCluster.WEB_EVAL;
            case "node" -> SampleCluster.NODE;
            case "volume" -> "v1";
            case "plugin" -> "hp";
            case "deployment" -> "d";
            default -> "a";
        };
    }

    private static List<String> and(List<String> some, String... more) {
        return and(some, List.of(more));
    }

    private static List<String> and(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
