# Writes into the volume without a pause that one would notice, and notes when: "milliseconds number" a line.
variable "driver" {
  type        = string
  default     = "raw_exec"
  description = "exec runs it in a container, where runc or crun works."
}

job "writer" {
  type = "service"

  group "writer" {
    volume "data" {
      type            = "csi"
      source          = "growing-data"
      access_mode     = "single-node-writer"
      attachment_mode = "file-system"
    }

    task "write" {
      driver = var.driver
      # Volumes belong to root when they are new.
      user = "root"

      config {
        command = "/bin/sh"
        args = ["-c", <<-SCRIPT
          numbers="$CLEAT_VOLUME_data/numbers"
          last=$(tail -n 1 "$numbers" 2>/dev/null || true)
          n=$${last##* }
          n=$${n:-0}
          ended=
          trap 'ended=yes' TERM
          while [ -z "$ended" ]; do
            n=$((n + 1))
            dd if=/dev/zero of="$CLEAT_VOLUME_data/block.$((n % 8))" bs=256k count=1 conv=fsync status=none || exit 1
            echo "$(date +%s%3N) $n" >>"$numbers" || exit 1
            sleep 0.1
          done
          SCRIPT
        ]
      }

      volume_mount {
        volume      = "data"
        destination = "data"
      }

      resources {
        cpu    = 50
        memory = 64
      }
    }
  }
}
