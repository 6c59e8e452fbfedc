import APIDocuments
import Administration
import Identifiers
import Releases

extension RegisterVerdicts {
    /// The devices as logs of CI may call them, which often are public: by number and kind, for a name
    /// or an identifier would tell strangers whose device it is.
    var namelessEntries: [(name: String, entry: Entry)] {
        entries.enumerated().map { index, entry in
            let device = entry.device
            let kind = device.model ?? device.family.title
            let system = device.os.map { ", \($0)" } ?? ""
            return ("device \(index + 1) of \(entries.count) (\(kind)\(system))", entry)
        }
    }
}
