import Foundation
package import Releases

extension OTAStore {
    /// Adds what happened to the journal of its month; one short write, whatever is there already.
    package func record(_ activity: Activity) throws(StoreFailure) {
        let journal = DocumentName.activity(JournalMonth(of: activity.date))
        try backend.append(DocumentCoding.line(activity, for: journal), to: journal)
    }

    /// What happened last, newest first.
    ///
    /// Months are read from the newest backwards until there are `count`.
    package func activity(count: Int) throws(StoreFailure) -> [Activity] {
        var found: [Activity] = []
        for name in try backend.names(in: .activities).reversed() where name.hasSuffix(".jsonl") {
            let journal = try DocumentName.activities.appending(name)
            for (index, line) in try backend.lines(of: journal).enumerated().reversed() {
                guard found.count < count else { return found }
                let path = "\(journal) line \(index + 1)"
                found.append(try DocumentCoding.value(Activity.self, from: line, path: path))
            }
        }
        return found
    }
}

extension DocumentName {
    static let activities = DocumentName(known: "activity")

    fileprivate static func activity(_ month: JournalMonth) -> DocumentName {
        DocumentName(known: "activity", month.journal)
    }
}
