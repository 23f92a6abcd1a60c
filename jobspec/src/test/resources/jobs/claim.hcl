job "counter" {
  group "counter" {
    volume "data" {
      type            = "csi"
      source          = "counter-data"
      access_mode     = "single-node-writer"
      attachment_mode = "file-system"
      mount_options {
        fs_type     = "ext4"
        mount_flags = ["noatime", "nodiratime"]
      }
    }

    volume "shared" {
      type            = "csi"
      source          = "shared-directory"
      read_only       = true
      access_mode     = "multi-node-multi-writer"
      attachment_mode = "file-system"
    }

    update {
      max_parallel     = 1
      min_healthy_time = "1s"
      healthy_deadline = "1m"
    }

    ephemeral_disk {
      size = 10
    }

    task "count" {
      driver = "raw_exec"
      user   = "nobody"

      config {
        command = "/bin/sh"
        args = ["-c", <<-EOT
          n=$(cat "$CLEAT_VOLUME_data/n" 2>/dev/null || echo 0)
          while true; do
            n=$((n + 1))
            echo "$n" | tee "$CLEAT_VOLUME_data/n"
            sleep 1
          done
          EOT
        ]
      }

      volume_mount {
        volume      = "data"
        destination = "/data"
      }

      volume_mount {
        volume           = "shared"
        destination      = "/shared"
        read_only        = true
        propagation_mode = "host-to-task"
      }
    }
  }
}
