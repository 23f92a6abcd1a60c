package io.cleat.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Paths that clients of this API know and that are not served: each is answered in one sentence, with what serves
 * instead, whatever the method. A client that was told "not found" would look for what it has asked about.
 */
public final class AbsentPaths {
    private static final int NOT_IMPLEMENTED = 501;

    /** A path and all below it. */
    private record Absent(PathPattern path, int status, String words) {
        static Absent of(String path, String words) {
            return new Absent(PathPattern.of(path), NOT_IMPLEMENTED, words);
        }
    }

    private static final String QUOTAS = "quotas are not served here";

    private static final List<Absent> ALL = List.of(
            new Absent(PathPattern.of("/v1/acl"), 400, "ACL support disabled"),
            Absent.of("/v1/agent/force-leave", "members are not made to leave here"),
            Absent.of(
                    "/v1/agent/join",
                    "agents are not joined here: \"cleat agent -help\" says how a node finds its server"),
            Absent.of("/v1/agent/pprof", "profiles are not served here: use jcmd on the agent's process"),
            Absent.of(
                    "/v1/operator/keyring",
                    "there is no keyring here: the key of stored secrets is server/secrets.key in the data directory"),
            Absent.of("/v1/quota", QUOTAS),
            Absent.of("/v1/quotas", QUOTAS),
            Absent.of("/v1/sentinel", "policies are not served here"));

    private AbsentPaths() {}

    /** Each with what is said. */
    public static Set<String> listed() {
        return ALL.stream()
                .map(absent -> absent.path() + " " + absent.words())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What a request for such a path is answered. */
    public static Optional<Reply> reply(Request request) {
        for (Absent absent : ALL) {
            if (absent.path().begins(request.segments())) {
                return Optional.of(Reply.text(absent.status(), absent.words()));
            }
        }
        return Optional.empty();
    }
}
