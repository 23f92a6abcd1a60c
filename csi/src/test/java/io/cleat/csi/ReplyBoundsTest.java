package io.cleat.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.csi.v1.ControllerExpandVolumeResponse;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.ListVolumesResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is just within a limit of replies is taken, and what is one beyond it is not. */
final class ReplyBoundsTest {
    @Test
    void aTextOfTheGreatestLength_isTaken() throws BadReply {
        String most = "x".repeat(Replies.MOST_TEXT);
        assertEquals(most, Replies.text("name", most, Replies.MOST_TEXT));
        assertThrows(BadReply.class, () -> Replies.text("name", most + "x", Replies.MOST_TEXT));
    }

    @Test
    void aMapOfTheGreatestSize_isTaken() throws BadReply {
        String most = "x".repeat(Replies.MOST_MAP - 1);
        assertEquals(Map.of("k", most), Replies.map("context", Map.of("k", most)));
        assertThrows(BadReply.class, () -> Replies.map("context", Map.of("k", most + "x")));
    }

    @Test
    void aVolumeOfJustTheSizeAskedFor_isTaken() throws BadReply {
        CapacityRange asked = new CapacityRange(4096, 0);
        assertEquals(4096, VolumeReplies.expanded(grown(4096), asked).capacityBytes());
        assertThrows(BadReply.class, () -> VolumeReplies.expanded(grown(4095), asked));
    }

    @Test
    void aVolumeWhoseSizeIsNotSaid_isTaken() throws BadReply {
        CreateVolumeResponse.Builder reply = CreateVolumeResponse.newBuilder();
        reply.getVolumeBuilder().setVolumeId("v");
        VolumeOrder order = VolumeOrder.of("name", new CapacityRange(4096, 0), PluginRig.USE);
        assertEquals(0, VolumeReplies.created(reply.build(), order).capacityBytes());
    }

    private static ControllerExpandVolumeResponse grown(long bytes) {
        return ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(bytes)
                .build();
    }

    @Test
    void ofBrokenEntriesOfAList_eightAreTold() throws BadReply {
        ListVolumesResponse.Builder list = ListVolumesResponse.newBuilder();
        for (int i = 0; i < 12; i++) {
            list.addEntriesBuilder();
        }
        assertEquals(8, VolumeReplies.page(list.build(), "").leftOut().size());
    }
}
