import Foundation

/// Identifies the current boot of the machine.
///
/// Bytes written during the current boot are at least in the page cache, even if the server crashed since.
enum MachineStart {
    /// Empty if the system has no such identifier; then only synced bytes are trusted.
    static let identifier: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }()
}
