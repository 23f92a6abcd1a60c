package io.cleat.agent.plugins;

import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.csi.ControllerCapability;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.HealthPage;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.VolumeHealth;
import io.cleat.model.ListedVolume;
import io.cleat.wire.ControllerReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The conditions of listed volumes at a plugin that lists health apart from volumes (CSI 1.13, LIST_VOLUME_HEALTH). A
 * plugin that says them with its volumes is not asked again.
 */
record ListedConditions(PluginChannel plugin, Deadline deadline) {
    /** Pages read at most for one page of volumes: a plugin may list what is well too. */
    private static final int MOST_PAGES = 20;

    ControllerReply.Listed over(ControllerReply.Listed listed) throws CsiTrouble, InterruptedException {
        if (listed.entries().isEmpty()
                || !plugin.controller().capabilities(deadline).contains(ControllerCapability.LIST_VOLUME_HEALTH)) {
            return listed;
        }
        Map<String, String> wrong = wrong();
        return new ControllerReply.Listed(
                listed.entries().stream().map(entry -> with(entry, wrong)).toList(), listed.nextToken());
    }

    private static ListedVolume with(ListedVolume entry, Map<String, String> wrong) {
        String condition = wrong.get(entry.externalId());
        return condition == null || entry.abnormal()
                ? entry
                : new ListedVolume(
                        entry.externalId(),
                        entry.capacity(),
                        entry.context(),
                        entry.publishedNodeIds(),
                        true,
                        condition);
    }

    /** What is wrong, by the provider's id. */
    private Map<String, String> wrong() throws CsiTrouble, InterruptedException {
        Map<String, String> wrong = new HashMap<>();
        String token = "";
        for (int pages = 0; pages < MOST_PAGES; pages++) {
            HealthPage page = plugin.health().listedByController(0, token, Secrets.none(), deadline);
            for (VolumeHealth health : page.entries()) {
                if (!health.findings().isEmpty()) {
                    wrong.put(health.volumeId(), words(health.findings()));
                }
            }
            token = page.nextToken();
            if (token.isEmpty()) {
                break;
            }
        }
        return wrong;
    }

    private static String words(List<VolumeHealth.Finding> findings) {
        return findings.stream()
                .map(finding -> finding.kind()
                        + (finding.reason().isEmpty() ? "" : " " + finding.reason())
                        + (finding.message().isEmpty() ? "" : ": " + finding.message()))
                .collect(Collectors.joining("; "));
    }
}
