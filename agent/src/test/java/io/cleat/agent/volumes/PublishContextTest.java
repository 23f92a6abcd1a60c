package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.cleat.base.Secrets;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.kernel.BootId;
import io.cleat.testkit.Behaviour;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the controller's publish call answered goes to each stage and publish as it came. */
@Timeout(60)
class PublishContextTest {
    private static final Map<String, String> CONTEXT = Map.of(
            "device", "/dev/x y",
            "empty", "",
            "lines", "a\nb\tc\r\n",
            "schlüssel/名", "größe 大きさ",
            "chap", "hunter3-password");

    private final Ground ground;

    PublishContextTest() throws Exception {
        ground = Ground.make();
    }

    @AfterEach
    void clear() throws Exception {
        ground.close();
    }

    private static GrantedClaim claim(String alloc) {
        GrantedClaim like = Ground.claim(alloc, "ext-1", SHARED);
        return new GrantedClaim(
                like.allocId(),
                like.alias(),
                like.volume(),
                like.pluginId(),
                like.externalId(),
                like.readOnly(),
                like.modes(),
                like.mountOptions(),
                like.context(),
                like.epoch(),
                Secrets.of(CONTEXT),
                like.secrets());
    }

    private List<Map<String, String>> given() {
        return ground.plugin.calls().stream()
                .<Map<String, String>>mapMulti((call, more) -> {
                    switch (call.request()) {
                        case NodeStageVolumeRequest stage -> more.accept(stage.getPublishContextMap());
                        case NodePublishVolumeRequest publish -> more.accept(publish.getPublishContextMap());
                        default -> {}
                    }
                })
                .toList();
    }

    @Test
    void eachTryOfEachUserIsGivenItAlsoInAnotherLife() throws Exception {
        ground.plugin.script("NodeStageVolume", Behaviour.refuse(Status.Code.INTERNAL, "perhaps"), Behaviour.ok());
        ground.volumes.publish(claim("a1"), ground.told);
        ground.restart();
        ground.volumes.publish(claim("a1"), ground.told);
        ground.volumes.publish(claim("a2"), ground.told);
        List<Map<String, String>> given = given();
        assertEquals(4, given.size(), "staged twice, published for two");
        given.forEach(each -> assertEquals(CONTEXT, each));
    }

    @Test
    void afterTheMachinesRestartItIsGivenAgain() throws Exception {
        ground.volumes.publish(claim("a1"), ground.told);
        ground.boot = new BootId("boot-2");
        ground.restart();
        ground.plugin.clearCalls();
        ground.volumes.publish(claim("a2"), ground.told);
        given().forEach(each -> assertEquals(CONTEXT, each));
        assertEquals(2, given().size(), "staged anew and published");
    }

    @Test
    void neitherTheJournalNorTheNewsTellsIt() throws Exception {
        ground.plugin.script(
                "NodePublishVolume",
                Behaviour.refuse(Status.Code.INTERNAL, "no login with hunter3-password"),
                Behaviour.ok());
        ground.volumes.publish(claim("a1"), ground.told);
        String journal = Files.readString(ground.directory.resolve("volumes.journal"), StandardCharsets.ISO_8859_1);
        assertFalse(journal.contains("hunter3"));
        assertFalse(ground.told.waits.toString().contains("hunter3"));
        assertFalse((ground.news.node + " " + ground.news.volume).contains("hunter3"));
        assertFalse(claim("a1").toString().contains("hunter3"), claim("a1").toString());
    }
}
