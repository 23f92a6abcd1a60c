package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.testkit.Behaviour;
import io.grpc.Status;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a plugin says of an unmounting, and what is seen: which of the two counts, and what is told of it. */
class UnmountProofTest extends OnGround {
    UnmountProofTest() throws Exception {}

    /** What is told of the calls that unmount. */
    private List<String> told(String call) {
        return ground.news.volume.stream()
                .filter(event -> event.call().equals(call))
                .map(VolumeEvent::code)
                .toList();
    }

    /** It would be taken for three lies, and the agent would unmount what the plugin said is in use. */
    @Test
    void internalOfATargetThatIsMounted_isAskedAgainHoweverOften() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        Behaviour busy = Behaviour.refuse(Status.Code.INTERNAL, "device is busy");
        ground.plugin.script("NodeUnpublishVolume", busy, busy, busy, busy, Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(5, ground.plugin.calls("NodeUnpublishVolume").size());
        assertEquals(List.of("Internal", "Internal", "Internal", "Internal", "OK"), told("NodeUnpublishVolume"));
        ground.assertNothingLeft();
    }

    /** Else a plugin that was slow twice is taken for one that never unmounts. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ok          | ok          | 2 | 0",
                "lie lie ok  | lie lie ok  | 6 | 0",
                "lie lie lie | lie lie ok  | 6 | 1",
                "lie lie lie | lie lie lie | 6 | 2",
            })
    void answersToUnstaging_areCountedAnewOnceItIsUnmounted(String first, String second, int asked, long byAgent)
            throws Exception {
        for (String answers : List.of(first, second)) {
            ground.publish("a1", "ext-1", SINGLE);
            ground.plugin.script(
                    "NodeUnstageVolume",
                    Arrays.stream(answers.split(" ", -1))
                            .map(answer -> answer.equals("ok") ? Behaviour.ok() : Behaviour.lie())
                            .toArray(Behaviour[]::new));
            ground.unpublish("a1");
            ground.plugin.forget(ground.staging("ext-1-name"));
        }
        assertEquals(asked, ground.plugin.calls("NodeUnstageVolume").size());
        assertEquals(
                byAgent,
                ground.news.volume.stream()
                        .filter(event -> event.message().contains("answered OK 3 times to NodeUnstageVolume")
                                && event.message().endsWith("the agent unmounted it"))
                        .count());
        ground.assertNothingLeft();
    }

    /** It has a user in the journal; else the outer one waits until that ends. */
    @Test
    void aVolumeThatLiesInAnother_doesNotKeepTheStagingOfThatOne() throws Exception {
        ground.plugin.addVolume("ext-1/inner", 1);
        ground.publish("a1", "ext-1", SHARED);
        VolumeId inner = new VolumeId("default", "inner");
        ground.volumes.publish(Ground.claim("a2", "ext-1/inner", SHARED, inner), ground.told);
        ground.unpublish("a1");
        assertEquals(1, ground.plugin.calls("NodeUnstageVolume").size());
        assertEquals(2, ground.mounted().size());
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }
}
