# Writes a number into its device every second, and goes on where the last allocation ended.
variable "driver" {
  type        = string
  default     = "raw_exec"
  description = "exec runs it in a container, where runc or crun works."
}

job "raw-disk" {
  type = "service"

  group "raw-disk" {
    volume "disk" {
      type            = "csi"
      source          = "raw-disk"
      access_mode     = "single-node-writer"
      attachment_mode = "block-device"
    }

    task "count" {
      driver = var.driver
      # Volumes belong to root when they are new.
      user = "root"

      config {
        command = "/bin/sh"
        args = ["-c", <<-SCRIPT
          disk="$CLEAT_VOLUME_disk"
          n=$(dd if="$disk" bs=16 count=1 2>/dev/null | tr -d '\\0 ')
          ended=
          trap 'ended=yes' TERM
          while [ -z "$ended" ]; do
            n=$((n + 1))
            printf '%-16s' "$n" | dd of="$disk" conv=notrunc,fsync 2>/dev/null
            echo "wrote $n"
            sleep 1 &
            wait $!
          done
          SCRIPT
        ]
      }

      # The device is a file; $CLEAT_VOLUME_disk is its path.
      volume_mount {
        volume      = "disk"
        destination = "/dev/disk"
      }

      resources {
        cpu    = 50
        memory = 32
      }
    }
  }
}
