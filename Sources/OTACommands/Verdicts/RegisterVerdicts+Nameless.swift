import APIDocuments
import Administration
import Identifiers
import Releases

extension RegisterVerdicts {
    /// The devices by number and model, for CI logs, which are often public: a name or a UDID would reveal
    /// whose device it is.
    var namelessEntries: [(name: String, entry: Entry)] {
        entries.enumerated().map { index, entry in
            let device = entry.device
            let kind = device.model ?? device.family.title
            let system = device.os.map { ", \($0)" } ?? ""
            return ("device \(index + 1) of \(entries.count) (\(kind)\(system))", entry)
        }
    }
}
