package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.Deployment;
import io.cleat.api.DeploymentState;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Watches one deployment and prints what changes, until it is over. */
final class DeploymentMonitor {
    private static final Duration FIRST_WAIT = Duration.ofMillis(100);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final Call call;
    private final CleatClient client;

    DeploymentMonitor(Call call, CleatClient client) {
        this.call = call;
        this.client = client;
    }

    /**
     * Watches deployment {@code id}.
     *
     * @return 0, or 1 when it did not succeed
     */
    int watch(String id) throws UnexpectedAnswer, LinkTrouble, InterruptedException {
        call.outNow("==> " + stamp() + ": Monitoring deployment \"" + call.id(id) + "\"");
        String before = "";
        Duration wait = FIRST_WAIT;
        while (true) {
            Deployment deployment = client.deployments().get(id, Params.none()).body();
            String now = words(deployment);
            if (!now.equals(before)) {
                now.lines().forEach(line -> call.outNow("    " + stamp() + ": " + line));
                before = now;
            }
            if (deployment.isOver()) {
                call.outNow("==> %s: Deployment \"%s\" finished with status \"%s\""
                        .formatted(stamp(), call.id(id), deployment.Status()));
                return deployment.Status().equals("successful") ? 0 : 1;
            }
            call.time().sleep(wait);
            wait = wait.plus(wait).compareTo(LONGEST_WAIT) < 0 ? wait.plus(wait) : LONGEST_WAIT;
        }
    }

    private static String words(Deployment deployment) {
        StringBuilder words = new StringBuilder(deployment.StatusDescription());
        Map<String, DeploymentState> groups = new TreeMap<>(deployment.TaskGroups());
        groups.forEach((name, group) -> words.append("\nGroup \"%s\": %d placed, %d of %d healthy, %d unhealthy%s"
                .formatted(
                        name,
                        group.PlacedAllocs(),
                        group.HealthyAllocs(),
                        group.DesiredTotal(),
                        group.UnhealthyAllocs(),
                        group.DesiredCanaries() > 0 && !group.Promoted() ? ", canaries not promoted" : "")));
        return words.toString();
    }

    private String stamp() {
        return Human.time(call.now(), call.zone());
    }
}
