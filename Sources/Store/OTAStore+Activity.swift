import Foundation
package import Releases

extension OTAStore {
    /// Adds what happened to the journal of its month; one short write, whatever is there already.
    package func record(_ activity: Activity) throws(StoreFailure) {
        let journal = DocumentName.activity(JournalMonth(of: activity.date))
        try backend.append(DocumentCoding.line(activity, for: journal), to: journal)
    }

    /// What happened last, newest first; what cannot be read of it is in
    /// ``activityListing(count:)``.
    package func activity(count: Int) throws(StoreFailure) -> [Activity] {
        try activityListing(count: count).activities
    }
}

extension DocumentName {
    static let activities = DocumentName(known: "activity")

    fileprivate static func activity(_ month: JournalMonth) -> DocumentName {
        DocumentName(known: "activity", month.journal)
    }
}
