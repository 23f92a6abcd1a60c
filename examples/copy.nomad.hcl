# Counts on in the copy of the volume of counter.nomad.hcl; each line says that it is the copy.
job "copy" {
  type = "service"

  group "copy" {
    volume "data" {
      type            = "csi"
      source          = "counter-copy"
      access_mode     = "single-node-writer"
      attachment_mode = "file-system"
    }

    task "count" {
      driver = "raw_exec"

      config {
        command = "/bin/sh"
        args = ["-c", <<-SCRIPT
          numbers="$CLEAT_VOLUME_data/numbers"
          last=$(tail -n 1 "$numbers")
          n=$${last##* }
          ended=
          trap 'ended=yes' TERM
          while [ -z "$ended" ]; do
            n=$((n + 1))
            echo "copy $n" >>"$numbers"
            echo "counted $n"
            sleep 1 &
            wait $!
          done
          SCRIPT
        ]
      }

      # The volume is bound into the task's directory; $CLEAT_VOLUME_data is its path.
      volume_mount {
        volume      = "data"
        destination = "data"
      }

      resources {
        cpu    = 50
        memory = 32
      }
    }
  }
}
