import Access
import HTTPTypes
import SiteServices
import Uploads

extension UploadAnswer {
    /// The final answer to an upload that is not published, as the API writes it.
    ///
    /// - Parameters:
    ///   - error: why not.
    ///   - principal: whose upload it is; nil when that is not known.
    init(refusing error: any Error, to principal: Principal?) {
        let answer = APIAnswer(refusing: Refusal.hidingFailures(of: error, from: principal))
        self.init(
            status: answer.status.code,
            body: String(decoding: answer.body, as: UTF8.self),
        )
    }
}
